/** How long the tokens of logins last: renewal, clocks, cancellation, revocation, and the JWT of a job. */

import assert from "node:assert/strict";
import { EventEmitter, getEventListeners, once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Service } from "../../src/core/service";
import { StatecraftError } from "../../src/errors";
import type { ClientSettings } from "../../src/http/client-context";
import { manager } from "../../src/services/manager/service";
import { volumes } from "../../src/services/volumes/service";
import { readSecret } from "../../src/settings/secret-source";
import { failureOf } from "../support/failures";
import { closeAll, connect, json, type Place, type Seen, serve } from "./support";

const encoded = (claims: object) => Buffer.from(JSON.stringify(claims)).toString("base64url");
const jwtOf = (claims: object = {}) => `e30.${encoded({ iss: "i", sub: "s", aud: "a", ...claims })}.planted`;
const date = { date: "Tue, 01 Jan 2030 00:00:00 GMT" };

/** Answers logins and renewals with these grants in turn, and everything else with 200. */
const grants = (logins: readonly object[], renewals: readonly (object | number)[] = []) => {
    let [login, renewal] = [0, 0];
    return ({ url = "" }: Seen, answer: ServerResponse) => {
        const one = { client_token: `planted-${login}`, lease_duration: 60, renewable: true };
        if (url.endsWith("/login")) json(answer, 200, { auth: { ...one, ...logins[login++] } });
        else if (url.endsWith("/renew-self")) {
            const grant = renewals[renewal++] ?? 403;
            if (typeof grant === "number") json(answer, grant, { errors: ["no"] });
            else json(answer, 200, { auth: { ...one, ...grant } });
        } else json(answer, 200, { data: { keys: [] } });
    };
};

/** A client with a login. */
function loggedIn(place: Place, settings: Partial<ClientSettings> = {}, service: Service = manager) {
    const environment = { JWT: jwtOf(), ...settings.environment };
    const login = service === volumes ? { authMethod: "m" } : { mount: "jwt", role: "web" };
    const usual = { token: undefined, login: { ...login, jwtVariable: "JWT" } };
    return connect(service, place.address, { ...usual, ...settings, environment });
}

/** The ends of the paths of the requests that a server received, without those of objects. */
const sent = ({ seen }: Place) =>
    seen.flatMap(({ url = "" }) => (/v1\/(auth|acl)/.test(url) ? [url.split("/").at(-1) ?? ""] : []));

describe("the token of a login", () => {
    afterEach(closeAll);

    // Requests are sent 0, 41, 75, 150, … seconds after the login.
    const renew = ["login", "renew-self"];
    const replaced = [...renew, "login"];
    for (const [what, login, renewals, seconds, requests] of [
        [
            "is renewed after two thirds of its life, again and again",
            {},
            [{}, {}],
            [0, 41, 41],
            [...renew, "renew-self"],
        ],
        ["is not renewed earlier", {}, [{}], [0, 39], ["login"]],
        ["that is not renewable is replaced", { renewable: false }, [], [0, 41], ["login", "login"]],
        ["without `renewable` is replaced", { renewable: null }, [], [0, 41], ["login", "login"]],
        ["that is a batch token is replaced", { token_type: "batch" }, [], [0, 41], ["login", "login"]],
        ["that is good for a few requests is replaced", { num_uses: 9 }, [], [0, 41], ["login", "login"]],
        ["that has ended is replaced", {}, [{}], [0, 61], ["login", "login"]],
        ["whose renewal is refused serves two thirds of its rest", {}, [403], [0, 41, 12], renew],
        ["whose renewal is refused is replaced then", {}, [403], [0, 41, 13], replaced],
        ["whose renewal fails is replaced then", {}, [503], [0, 41, 13], replaced],
        ["whose renewal grants what was left is replaced then", {}, [{ lease_duration: 19 }], [0, 41, 13], replaced],
        ["whose renewal grants less is replaced earlier", {}, [{ lease_duration: 6 }], [0, 41, 4], replaced],
        ["whose renewal has no lease is replaced", {}, [{ lease_duration: "1h" }], [0, 41, 13], replaced],
    ] as const) {
        it(what, async () => {
            const warnings: string[] = [];
            const place = await serve(grants([login], renewals));
            const { call, clock } = loggedIn(place, { notify: (text) => void warnings.push(text) });
            for (const wait of seconds) {
                await clock.sleep(wait * 1000);
                await call("GET /x");
            }
            assert.deepEqual(sent(place), requests);
            const wrong = warnings.filter((text) => !text.includes("good for only"));
            assert.deepEqual(wrong, []);
            const [renewal] = place.seen.filter(({ url }) => url?.endsWith("renew-self"));
            if (renewal) assert.equal(renewal.headers["x-secrets-token"], "planted-0");
        });
    }

    const early = "error validating token: invalid not before (nbf) claim: token not yet valid";
    const now = Date.UTC(2030, 0, 1) / 1000;
    for (const [reason, claims, refusals, waits] of [
        [early, { nbf: now + 2 }, 1, [3000]],
        [early, { nbf: now + 600 }, 2, [5000]],
        ["token is not yet valid (Token Not Before: 2030-01-01)", { nbf: 0, iat: now + 1 }, 1, [2000]],
        ["invalid issued at (iat) claim: token issued in the future", { iat: now + 3 }, 2, [4000]],
        ["invalid audience (aud) claim", { nbf: now + 2 }, 1, []],
    ] as const) {
        it(`is requested again once after ${waits.join() || "no"} ms if the server says ${reason}`, async () => {
            const place = await serve(({ url = "" }, answer, number) => {
                if (!url.endsWith("/login")) json(answer, 200, {});
                else if (number <= refusals) json(answer, 400, { errors: [reason] }, date);
                else json(answer, 200, { auth: { client_token: "planted-1", lease_duration: 60 } });
            });
            const { call, slept } = loggedIn(place, {
                environment: { JWT: jwtOf({ exp: Date.UTC(2031, 0), ...claims }) },
            });
            const end = await call("GET /x").catch((error: unknown) => error);
            assert.deepEqual(slept, waits);
            if (refusals > waits.length) {
                assert(end instanceof StatecraftError && end.code === "login", String(end));
                if (waits.length === 0) return;
                assert.match(end.message, /is valid from .*2030.*server's clock shows .*2030.*this machine's .*2030/);
            }
        });
    }

    for (const [what, ExpirationTime] of [
        ["lives a second", "2030-01-01T00:00:01Z"],
        ["has ended", "2029-12-31T23:00:00Z"],
        ["lives long", "2030-01-01T01:00:00Z"],
    ] as const) {
        it(`of Nomad that ${what} is replaced once if every request is refused, after at most ten waits`, async () => {
            const place = await serve(({ url = "" }, answer) => {
                if (url.endsWith("/login"))
                    json(answer, 200, { SecretID: `planted-${ExpirationTime}`, ExpirationTime });
                else answer.writeHead(403, { "content-type": "text/plain" }).end("Permission denied");
            });
            const { call, slept } = loggedIn(place, { maxRetries: 1 }, volumes);
            assert.equal((await failureOf(call("GET /v1/volumes"), StatecraftError)).code, "denied");
            assert(sent(place).length <= 2 && slept.length <= 10, `${sent(place)}; ${slept}`);
            assert(slept.length > 0, "no wait");
        });
    }

    it("that the server does not know any more is requested again, and a note says why that fails", async () => {
        let logins = 0;
        const place = await serve(({ url = "" }, answer) => {
            if (!url.endsWith("/login") || logins++ > 0) return json(answer, 403, { errors: ["no"] });
            json(answer, 200, { auth: { client_token: "planted-1", lease_duration: 60 } });
        });
        const notes: string[] = [];
        const { call } = loggedIn(place, { maxRetries: 0, notify: (...note) => void notes.push(note.join()) });
        assert.equal((await failureOf(call("GET /x"), StatecraftError)).code, "denied");
        assert.match(notes.join(), /failed: .*403: no.*,login,info$/);
        assert.equal(logins, 2);
    });

    /** A server whose login answers when the test says so. `begun`: the login has come; `ended`: its connection or answer is closed. */
    const waiting = async () => {
        const events = new EventEmitter();
        const [begun, ended] = [once(events, "begun"), once(events, "ended")];
        const place = await serve(({ url = "" }, answer) => {
            if (!url.endsWith("/login")) return json(answer, 200, {});
            answer.on("close", () => events.emit("ended"));
            events.emit("begun", answer);
        });
        const answerLogin = async () => {
            const [answer] = await begun;
            json(answer, 200, { auth: { client_token: "planted-1", lease_duration: 60 } });
        };
        return { place, begun, ended, answerLogin };
    };

    it("is got by a shared login that the cancellation of one request does not cancel, and that of all does", async () => {
        const { place, begun, ended, answerLogin } = await waiting();
        const { call } = loggedIn(place);
        const [one, other] = [new AbortController(), new AbortController()];
        const calls = [one, other].map(({ signal }) => call("GET /x", { signal }));
        const ends = calls.map((each) =>
            each.then(
                () => "done",
                (error: StatecraftError) => error.code,
            ),
        );
        await begun;
        one.abort();
        assert.equal(await ends[0], "cancelled");
        await answerLogin();
        assert.equal(await ends[1], "done");
        await ended;

        const again = await waiting();
        const last = new AbortController();
        const alone = loggedIn(again.place).call("GET /x", { signal: last.signal });
        const failing = failureOf(alone, StatecraftError);
        await again.begun;
        last.abort();
        assert.equal((await failing).code, "cancelled");
        await again.ended;
    });

    it("is got by another login for a request that begins when the last one that waited is cancelled", async () => {
        const [events, answered] = [new EventEmitter(), grants([])];
        const place = await serve((seen, answer, number) =>
            number === 1 ? events.emit("begun") : answered(seen, answer),
        );
        const { call } = loggedIn(place);
        const last = new AbortController();
        const begun = once(events, "begun");
        const failing = failureOf(call("GET /x", { signal: last.signal }), StatecraftError);
        await begun;
        last.abort();
        const next = call("GET /x");
        assert.equal((await failing).code, "cancelled");
        assert.equal((await next).status, 200);
    });

    it("leaves no listener at the signal of a process that cancels all of its requests", async () => {
        const { call } = loggedIn(await serve(grants([])));
        const { signal } = new AbortController();
        for (let count = 0; count < 3; count++) await call("GET /x", { signal });
        await readSecret({ file: __filename }, { kind: "text", environment: {}, signal });
        assert.deepEqual(getEventListeners(signal, "abort"), []);
    });

    it("is revoked even if its login is under way when all tokens are revoked", async () => {
        const { place, begun, answerLogin } = await waiting();
        const clients: (() => Promise<unknown>)[] = [];
        const logins = { begin: (revoke: () => Promise<unknown>) => void clients.push(revoke), add: () => undefined };
        const call = loggedIn(place, { logins }).call("GET /x");
        await begun;
        const revocation = clients[0]?.();
        await answerLogin();
        await Promise.all([revocation, call]);
        assert(sent(place).includes("revoke-self"), sent(place).join());
    });
});

describe("the JWT of `githubAudience`", () => {
    afterEach(closeAll);

    const variables = (address: string, token = "planted-request-token") => ({
        ACTIONS_ID_TOKEN_REQUEST_URL: address,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: token,
    });
    const start = async (respond: (answer: ServerResponse, number: number) => void) => {
        const job = await serve((_, answer, number) => respond(answer, number));
        const vault = await serve(grants([{ renewable: false }]));
        const clientFor = (
            service: Service = manager,
            environment = variables(`${job.address}/a%20b/idtoken?api-version=2.0`),
        ) => {
            const login = service === volumes ? { authMethod: "m" } : { mount: "jwt", role: "web" };
            return loggedIn(
                vault,
                { login: { ...login, githubAudience: "https://a.example/x?y" }, environment },
                service,
            );
        };
        return { job, vault, clientFor };
    };

    it("is requested again for each login, with the audience, and the request token goes to its origin alone", async () => {
        const { job, vault, clientFor } = await start((answer, number) =>
            json(answer, 200, { count: 9, value: jwtOf({ number }) }),
        );
        const { call, clock } = clientFor();
        await call("GET /x");
        await clock.sleep(61_000);
        await call("GET /x");
        assert.deepEqual(
            job.seen.map(({ url, headers }) => [url, headers.authorization]),
            Array(2).fill([
                "/a%20b/idtoken?api-version=2.0&audience=https%3A%2F%2Fa.example%2Fx%3Fy",
                "Bearer planted-request-token",
            ]),
        );
        const bodies = vault.seen.filter(({ url }) => url?.endsWith("/login")).map(({ body }) => JSON.parse(body).jwt);
        assert.deepEqual(bodies, [jwtOf({ number: 1 }), jwtOf({ number: 2 })]);
        assert(!JSON.stringify(vault.seen).includes("planted-request-token"));
        await clientFor(volumes)
            .call("GET /x")
            .catch(() => undefined);
        assert.match(vault.seen.find(({ url }) => url === "/v1/acl/login")?.body ?? "", /LoginToken":"e30\./);
    });

    const page = (answer: ServerResponse) => answer.writeHead(200, { "content-type": "text/html" }).end("<html>");
    const failures: [what: string, respond: (answer: ServerResponse) => void, tries: number, words: RegExp][] = [
        ["fails", (answer) => json(answer, 503, { message: "planted-request-token" }), 3, /503: \[secret\]/],
        ["is cut", (answer) => answer.destroy(), 3, /no answer/],
        ["is refused", (answer) => json(answer, 403, { message: "no planted-request-token" }), 1, /no \[secret\]/],
        ["is a web page", page, 1, /a web page/],
        ["has no value", (answer) => json(answer, 200, { value: "" }), 1, /no JWT/],
    ];
    for (const [what, respond, tries, words] of failures) {
        it(`is asked for ${tries} times if the answer ${what}, which is a \`login\` failure without the token`, async () => {
            const { job, vault, clientFor } = await start(respond);
            const error = await failureOf(clientFor().call("GET /x"), StatecraftError);
            assert.deepEqual([error.code, job.seen.length, vault.seen.length], ["login", tries, 0], error.message);
            assert.match(error.message, words);
            assert(!`${error.message} ${error.hint}`.includes("planted"), error.message);
        });
    }

    for (const [what, environment] of [
        ["without the variables", {}],
        ["without the request token", variables("https://job.example", "")],
        ["without https", variables("http://job.example/x")],
    ] as const) {
        it(`is refused ${what}, before a request`, async () => {
            const { vault, clientFor } = await start((answer) => json(answer, 200, {}));
            const { message, code } = await failureOf(
                clientFor(manager, environment as never).call("GET /x"),
                StatecraftError,
            );
            assert.deepEqual([code, vault.seen.length], ["login", 0]);
            assert.match(message, /ACTIONS_ID_TOKEN_REQUEST_URL/);
        });
    }

    it("is not requested from another origin with the token", async () => {
        const other = await serve((_, answer) => json(answer, 200, { value: jwtOf() }));
        const { clientFor } = await start((answer) => answer.writeHead(302, { location: `${other.address}/x` }).end());
        await clientFor()
            .call("GET /x")
            .catch(() => undefined);
        assert.deepEqual(other.seen.map(({ headers }) => headers.authorization).filter(Boolean), []);
    });
});
