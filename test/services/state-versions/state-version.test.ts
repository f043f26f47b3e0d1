import assert from "node:assert/strict";
import crypto, { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { planted } from "../../support/canaries";
import { failureOf } from "../../support/failures";
import { CheckFailed, type Shown } from "../../support/managed-resource";
import { withCode } from "../../support/messages";
import { asset, type Props, unknown } from "../../support/pulumi-values";
import { temporaryFolder } from "../../support/temporary-folder";
import { lineage, stateOf } from "../../support/workspaces";
import { mark, record, refusal, slow, Workspaces } from "./fixture";

/** A state as Terraform writes it: indented, with a final newline, and with numbers and texts that `JSON.stringify` writes differently. */
const raw = (serial: number, extra: Props = {}) => {
    const text = JSON.stringify({ ...stateOf(serial, "a"), ...extra }, null, 2);
    const checks = String.raw`[{ "azure_size": 1.0, "aws_id": 9007199254740993, "google_\u003c": null }]`;
    return `${text.slice(0, -2)},\n  "check_results": ${checks}\n}\n`;
};
const base64 = (text: string) => Buffer.from(text).toString("base64");
const md5 = (text: string) => createHash("md5").update(text).digest("hex");
const sha256 = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

const stringAsset = (text: string) => asset({ hash: sha256(text).slice(7), text });
const fileAsset = (path: string) => asset({ hash: "", path });

const postPath = "/api/v2/workspaces/ws-1/state-versions";
const inputs = { workspaceId: "ws-1", content: raw(5), lock: true };

describe("StateVersion", () => {
    const at = new Workspaces({ workspaces: [{ id: "ws-2", name: "new", organization: "example" }] });
    const folder = temporaryFolder();

    const story = at.stories("StateVersion", inputs);
    const version = (options: Parameters<typeof at.simulator.resource>[1] = {}) =>
        at.simulator.resource("StateVersion", options);
    const requests = async (method: string, path: RegExp) =>
        (await at.simulator.requests()).filter((request) => request.method === method && path.test(request.path));
    /** Returns the `data` of each request that created a version. */
    const posts = async () =>
        (await requests("POST", /\/state-versions$/)).map(({ body }) => (body as { data: Props }).data);
    /** Makes the service refuse all later requests with this method and path. */
    const refuses = (method: string, path: string, status = 500) =>
        at.simulator.fault({ method, path, times: 0, ...refusal(status) });
    const file = (name: string, text: string | Buffer) => {
        const path = join(folder, name);
        writeFileSync(path, text);
        return path;
    };
    /** Creates a version of `ws-1` as another account. */
    const theirs = async (content: string) => {
        await at.lock("theirs", "outside");
        await at.upload(content, "outside");
        await at.unlock("outside");
    };

    describe("check", () => {
        for (const given of [
            { content: 5 },
            { content: "{" },
            { content: '{"serial":"5"}' },
            { content: "no-such.state" },
            { content: fileAsset("no-such.state") },
            { content: asset({ uri: "https://example.com/x" }) },
            { jsonContent: stringAsset("nothing") },
            { runId: "run 1" },
        ]) {
            it(`refuses ${JSON.stringify(given)}`, async () => {
                const check = version().check({ ...inputs, ...given });
                await assert.rejects(check, { paths: Object.keys(given) });
            });
        }

        it("never quotes malformed content", async () => {
            for (const [content, piece] of [
                [`{"serial": ${planted.state}`, planted.state],
                [`[${raw(5)}]`, planted.state],
                [JSON.stringify(raw(5)), planted.state],
                [`\0${raw(5)}`, planted.state],
                [base64(raw(5)), base64(raw(5)).slice(0, 12)],
            ] as const) {
                const { paths, message } = await failureOf(version().check({ ...inputs, content }), CheckFailed);
                assert.deepEqual(paths, ["content"]);
                assert(!message.includes(piece), message);
            }
        });

        it("returns only the digest of content in every form", async () => {
            const path = file("a.state", raw(5));
            for (const content of [raw(5), ` ${raw(5)}`, stringAsset(raw(5)), path, fileAsset(path)]) {
                const checked = await version().check({ ...inputs, content });
                const text = content === ` ${raw(5)}` ? content : raw(5);
                assert.equal(checked["content"], sha256(text));
                assert(!JSON.stringify(checked).includes(planted.state));
            }
        });

        it("drops the byte-order mark of a file or a text", async () => {
            for (const content of [file("mark.state", `\ufeff${raw(5)}`), stringAsset(`\ufeff${raw(5)}`)]) {
                assert.equal((await version().check({ ...inputs, content }))["content"], sha256(raw(5)));
            }
            const jsonContent = file("mark.json", "\ufeff{}");
            assert.equal((await version().check({ ...inputs, jsonContent }))["jsonContent"], sha256("{}"));
        });

        it("names UTF-16 as the reason for which it refuses a file, with or without a byte-order mark", async () => {
            const little = Buffer.from(`\ufeff${raw(5)}`, "utf16le");
            for (const bytes of [little, Buffer.from(little).swap16(), little.subarray(2)]) {
                for (const name of ["content", "jsonContent"]) {
                    const wrong = { ...inputs, [name]: file("utf16", bytes) };
                    await assert.rejects(version().check(wrong), { paths: [name], message: /UTF-16/ });
                }
            }
        });

        it("names a Node that forbids MD5, as one with FIPS does, as the reason for which it refuses a state", async () => {
            const { createHash: usual } = crypto;
            const hash = mock.method(crypto, "createHash", (name: string) => {
                if (name !== "md5") return usual(name);
                throw new Error("digital envelope routines::unsupported");
            });
            const check = version().check(inputs);
            await assert
                .rejects(check, { paths: ["content"], message: /MD5.*FIPS/ })
                .finally(() => hash.mock.restore());
        });

        it("returns a digest and unknown content unchanged", async () => {
            const first = await version().check(inputs);
            assert.deepEqual((await version().check(first))["content"], first["content"]);
            for (const content of [unknown, asset({ hash: "", text: unknown })])
                assert.deepEqual((await version().check({ ...inputs, content }))["content"], content);
        });
    });

    describe("preview", () => {
        it("shows both serials, and downloads nothing", async () => {
            assert.deepEqual(await version().preview(inputs), [
                "a state with serial 5 will be current in ws-1 (now: sv-4, serial 4). [preview]",
            ]);
            assert.deepEqual(await version().preview({ ...inputs, workspaceId: "ws-2" }), [
                "a state with serial 5 will be current in ws-2 (now: no state yet). [preview]",
            ]);
            await at.simulator.fault({ path: "/current-state-version$", ...record("sv-9", {}) });
            assert.deepEqual(await version().preview(inputs), [
                "a state with serial 5 will be current in ws-1 (now: sv-9, serial unknown). [preview]",
            ]);
            assert.deepEqual(await requests("GET", /object|download/), []);
            assert.deepEqual(await at.writes(), []);
        });

        it("warns of a deployment that would fail: a lower serial", async () => {
            const failure = await at.foreseen(version(), { ...inputs, content: raw(3) });
            assert.equal(failure.code, "serial");
        });

        it("warns if a look-up fails", async () => {
            await refuses("GET", "current-state-version");
            const blind = version();
            await blind.preview(inputs);
            assert.match(blind.warnings.join(), withCode("service"));
        });
    });

    describe("create", () => {
        it("locks, creates the version, uploads its content, reads the version, and unlocks", async () => {
            const life = await version().deployed(inputs);
            const [put] = await requests("PUT", /./);
            const { "content-type": type, authorization } = put?.headers ?? {};
            assert.deepEqual([type, authorization], ["application/octet-stream", undefined]);
            const attributes = { serial: 5, md5: md5(raw(5)), lineage };
            assert.deepEqual(
                (await at.simulator.writes()).map(({ method, path, body }) => [method, path, body]),
                [
                    [
                        "POST",
                        "/api/v2/workspaces/ws-1/actions/lock",
                        { reason: `uploading the state with serial 5 ${mark}` },
                    ],
                    ["POST", postPath, { data: { type: "state-versions", attributes } }],
                    ["PUT", put?.path, JSON.parse(raw(5))],
                    ["POST", "/api/v2/workspaces/ws-1/actions/unlock", null],
                ],
            );
            assert.equal(life.state?.id, (await at.current()).id);
            const { createdAt, status, size, ...outputs } = life.outputs();
            assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT/);
            assert.deepEqual([status, size], ["finalized", raw(5).length]);
            assert.deepEqual({ ...outputs, ...attributes }, outputs);
        });

        it("creates the first version of a workspace, from a state without a lineage", async () => {
            const life = version();
            const content = raw(0, { lineage: undefined });
            await life.up({ ...inputs, workspaceId: "ws-2", content });
            assert.deepEqual(await posts(), [{ type: "state-versions", attributes: { serial: 0, md5: md5(content) } }]);
            assert.equal((await at.current("ws-2")).id, life.state?.id);
            assert.equal(life.outputs()["serial"], 0);
        });

        it("uploads the JSON form too, and sends the outputs with the version", async () => {
            const json = '{"format_version":"1.0"}';
            await version().up({ ...inputs, jsonContent: json, jsonStateOutputs: '{"a":{"value":1}}' });
            const attributes = (await posts())[0]?.["attributes"] as Props;
            assert.equal(attributes["json-state-outputs"], base64('{"a":{"value":1}}'));
            assert.equal(attributes["json-state"], undefined);
            assert.equal((await requests("PUT", /./)).length, 2);
            const { stateVersions } = at.simulator.store;
            assert.equal(stateVersions.versions.at(-1)?.json, json);
        });

        story("does not upload the raw state, which would finalize the version, if the JSON form is refused", {
            options: slow,
            inputs: { jsonContent: "{}" },
            faults: [{ method: "PUT", path: "/v1/object/", ...refusal(403) }],
            ends: { status: 403 },
            leaves: { uploads: 1, current: "sv-4" },
        });
        story("fails if the record of the new version has no upload URL", {
            faults: [{ method: "POST", path: postPath, ...record("sv-9", { status: "pending" }), status: 201 }],
            ends: { code: "no-upload" },
        });

        it("sends the content in the request with `inline`", async () => {
            const life = version();
            const json = '{"format_version":"1.0"}';
            await life.up({ ...inputs, inline: true, jsonContent: json, runId: "run-1" });
            assert.deepEqual(await requests("PUT", /./), []);
            assert.deepEqual(await posts(), [
                {
                    type: "state-versions",
                    attributes: {
                        serial: 5,
                        md5: md5(raw(5)),
                        lineage,
                        state: base64(raw(5)),
                        "json-state": base64(json),
                    },
                    relationships: { run: { data: { type: "runs", id: "run-1" } } },
                },
            ]);
            assert.equal(life.state?.id, (await at.current()).id);
        });

        for (const [what, content, advice] of [
            ["another content with the same serial", raw(4), "to 5"],
            ["another lineage", raw(9, { lineage: "other" }), JSON.stringify(lineage)],
        ] as const) {
            it(`refuses ${what} before it sends anything, and says what to set`, async () => {
                await assert.rejects(version().up({ ...inputs, content }), ({ code, message }: Shown) => {
                    assert.equal(code, "serial");
                    assert(message.includes(advice), message);
                    return true;
                });
                assert.deepEqual(await at.simulator.writes(), []);
            });

            story(
                `is refused by the service, and releases the lock, for ${what} if the current state cannot be downloaded`,
                {
                    inputs: { content },
                    faults: [{ method: "GET", path: "/object/", times: 0, ...refusal(503) }],
                    ends: { code: "conflict" },
                    warns: "service",
                    leaves: { id: undefined, lock: undefined },
                },
            );
        }

        for (const [what, others] of [
            ["another account has the lock", "outside"],
            ["the workspace is unlocked", undefined],
        ] as const) {
            it(`advises to take the lock if the service refuses a version because ${what}`, async () => {
                await at.lock("mine");
                at.meanwhile(/POST .*\/state-versions$/, async () => {
                    await at.unlock();
                    if (others) await at.lock("theirs", others);
                });
                await assert.rejects(version().up({ ...inputs, lock: false }), ({ code, message }: Shown) => {
                    assert.equal(code, "conflict");
                    assert(/set `lock: true`/.test(message) && !/lineage/.test(message), message);
                    return true;
                });
            });
        }

        for (const [what, content, code, made] of [
            ["nothing if that has the same content", raw(5), undefined, 1],
            ["nothing if the content cannot follow that one", raw(5, { outputs: {} }), "serial", 1],
            ["the version if the content can follow that one", raw(6), undefined, 2],
        ] as const) {
            story(`creates ${what}, after another version became current between the read and the lock`, {
                given: () => at.meanwhile(/\/actions\/lock$/, () => theirs(raw(5))),
                inputs: { content },
                ...(code && { ends: { code } }),
                leaves: { made, lock: undefined, isCurrent: code === undefined },
            });
        }

        for (const given of [{ inline: true }, { jsonStateOutputs: JSON.stringify({ a: { value: planted.state } }) }]) {
            it(`shows only known sentences of a refusal, because others may quote the content: ${Object.keys(given)}`, async () => {
                const piece = planted.state.slice(3, 15);
                const known =
                    "The serial provided in the state file is not greater than the serial currently known remotely";
                const of = (pointer: string, detail: string) => ({ detail, source: { pointer: `/data/${pointer}` } });
                for (const [error, shown] of [
                    [{ detail: `lineage: bad state near ${piece}` }, "not shown"],
                    [{ title: "x", detail: `${known}: ${piece}` }, known.slice(4)],
                    [`md5 of ${piece} is wrong`, "not shown"],
                    [of("attributes/md5", piece), ": data.attributes.md5 is refused"],
                    [of("attributes/serial", known), `data.attributes.serial is refused: ${known.slice(4)}`],
                    [of(`${piece}!`, "x"), "not shown"],
                ] as const) {
                    const body = typeof error === "string" ? error : JSON.stringify({ errors: [error] });
                    await at.simulator.fault({ ...refusal(409), method: "POST", path: "/state-versions$", body });
                    await assert.rejects(version().up({ ...inputs, ...given }), ({ message }: Shown) => {
                        assert(!message.includes(piece) && message.includes(shown), message);
                        return true;
                    });
                }
            });
        }

        story("waits until the version is processed", {
            given: () => at.simulator.control("PATCH", "/simulator/processing", { reads: 3 }),
            inputs: { waitForProcessing: true },
            outputs: {
                ...{ resourcesProcessed: true, toolVersion: "1.9.0" },
                resources: [{ name: "a", type: "server", count: 1, module: "root", provider: "example" }],
            },
        });

        it("fails if the file has changed since `check`", async () => {
            const path = file("c.state", raw(5));
            const life = version();
            const checked = await life.check({ ...inputs, content: path });
            writeFileSync(path, raw(6));
            await assert.rejects(life.shown(life.provider.create(checked)), { code: "content" });
        });
    });

    describe("the content in the memory of a process", () => {
        // Other tests of this process must not have checked the same content.
        const own = (serial: number) => ({ ...inputs, content: raw(serial, { tool_version: "1.0.0" }) });
        const isForgotten = (serial: number) =>
            assert.rejects(version().up({ ...inputs, content: sha256(own(serial).content) }), { code: "content" });

        it("is kept until its version is created, even after a failure", async () => {
            await version().up(own(5));
            await isForgotten(5);
            await at.simulator.fault({ method: "PUT", path: "/object/", ...refusal(403) });
            const life = version(slow);
            const checked = await life.check(own(6));
            await assert.rejects(life.provider.create(checked));
            await life.provider.create(checked);
            assert.equal((await at.current()).serial, 6);
            await isForgotten(6);
        });

        it("is kept until every resource that was checked with it has created its version", async () => {
            const [one, other] = [version(), version()];
            const checked = await one.check(own(5));
            await other.up({ ...own(5), workspaceId: "ws-2" });
            await one.provider.create(checked);
            assert.equal((await at.current()).serial, 5);
            await isForgotten(5);
        });
    });

    describe("after a lost answer", () => {
        it("to a request with `inline`, finds the version that the service creates seconds later", async () => {
            await at.simulator.fault({ method: "POST", path: "ws-1/state-versions", status: 504, body: "" });
            at.reading(4, () => at.upload(raw(5)));
            const life = await version().deployed({ ...inputs, inline: true });
            assert.equal(life.state?.id, (await at.current()).id);
            assert.deepEqual([await at.made(), await at.lockReason()], [1, undefined]);
        });

        it("is uploaded again by the next `up` if the upload had no effect although its answer was a success", async () => {
            const upload = { method: "PUT", path: "/v1/object/" };
            await at.simulator.fault({ ...upload, status: 200, body: "" }, { ...upload, ...refusal(403) });
            const life = version(slow);
            for (const failure of [{ code: "timeout" }, { status: 403 }]) {
                await assert.rejects(life.up(inputs), failure);
                assert.deepEqual(life.outputs()["unfinished"], ["readBack"]);
            }
            assert.equal(await life.up(inputs), "updated");
            assert.equal((await at.current()).id, life.state?.id);
            assert.deepEqual([(await posts()).length, await at.lockReason()], [1, undefined]);
        });

        it("can be destroyed while another version is pending: the workspace stays locked, and a warning says how to unlock it", async () => {
            const life = await version(slow).deployed(inputs);
            await refuses("PUT", "/v1/object/");
            await assert.rejects(life.up({ ...inputs, content: raw(6) }), { status: 500 });
            await at.simulator.heal();
            const { length } = life.warnings;
            await life.destroy();
            assert.match(life.warnings.slice(length).join(), /`npx pulumi-statecraft unlock example\/app --force`/);
        });
    });

    describe("update, read and delete", () => {
        it("creates another version of the same content for another `runId`", async () => {
            const life = await version().deployed({ ...inputs, runId: "run-1" });
            const old = String(life.state?.id);
            assert.match((await life.preview({ ...inputs, runId: "run-2" })).join(), withCode("preview"));
            assert.equal(await life.up({ ...inputs, runId: "run-2" }), "replaced");
            assert.notEqual(life.state?.id, old);
            assert.match(life.said, withCode("not-deleted"));
            assert.deepEqual((await posts())[1]?.["relationships"], { run: { data: { type: "runs", id: "run-2" } } });
        });

        it("uses a current version with the same content, unless that belongs to another run", async () => {
            for (const [first, second] of [
                [{}, {}],
                [{ runId: "run-1" }, { runId: "run-1" }],
                [{ runId: "run-1" }, {}],
                [{}, { runId: "run-1" }],
            ]) {
                await at.simulator.reset();
                await version().up({ ...inputs, ...first });
                const life = await version().deployed({ ...inputs, ...second });
                assert.deepEqual([life.state?.id, (await posts()).length], [(await at.current()).id, 1]);
            }
        });

        it("imports a version by its id, with the digest of its content", async () => {
            const life = await version().imported("sv-4");
            const { workspaceId, serial, content, lineage: imported } = life.outputs();
            assert.deepEqual([workspaceId, serial, imported], ["ws-1", 4, lineage]);
            assert.equal(content, sha256(`${JSON.stringify(stateOf(4), null, 2)}\n`));
            await assert.rejects(version().get("sv-9"), { code: "absent" });
        });

        for (const body of ["[]", "planted", '{"serial":-1}']) {
            it(`imports a version without a digest if its content is not a state: ${body}`, async () => {
                await at.simulator.fault({ method: "GET", path: "/object/", status: 200, body });
                const life = await version().imported("sv-4");
                const { workspaceId, serial, content } = life.outputs();
                assert.deepEqual([workspaceId, serial, content], ["ws-1", 4, undefined]);
            });
        }
    });
});
