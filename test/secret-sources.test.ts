/** Asserts that a secret given by a variable or a file is in no state and no message, and that a change of it is noticed. */

import assert from "node:assert/strict";
import crypto from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { canary, holdsNone } from "./support/canaries";
import { failureOf } from "./support/failures";
import { CheckFailed, type ManagedResource, Shown, unsealed } from "./support/managed-resource";
import { isIn, sourcedPrograms } from "./support/planting";
import { unknown } from "./support/pulumi-values";
import { factsOf, joined, type Props } from "./support/resource-facts";
import { withSimulator } from "./support/simulator";
import { temporaryFolder } from "./support/temporary-folder";

const cases = sourcedPrograms();

/** State and all messages, with unencrypted secrets. */
const everything = ({ state, said }: ManagedResource) => JSON.stringify([state, said]);

const hosts = ["dynamic", "native"];

describe("a secret from a variable", () => {
    const simulator = withSimulator(joined(...cases.map(({ type }) => factsOf(type).seed ?? {})));

    for (const [index, { title, type, given, inputs, variables, canaries }] of cases.entries()) {
        const [name = ""] = Object.keys(variables);
        const start = (host: string) => {
            const environment: NodeJS.ProcessEnv = { ...variables };
            return { environment, resource: simulator.resource(type, { environment, isNative: host === "native" }) };
        };
        // Because each digest takes time, the programs are by turns in one host, and in the other one when they fail.
        const [one = "", other = ""] = index % 2 === 0 ? hosts : hosts.toReversed();
        const isAlone = cases.filter((each) => each.type === type).length === 1;

        for (const host of isAlone ? hosts : [one]) {
            it(`of ${title} is in no state and no message, and a rotation is one write, in the ${host} host`, async () => {
                const { environment, resource } = start(host);
                await resource.preview(inputs);
                await resource.up(inputs);
                const sent = JSON.stringify((await simulator.writes()).at(-1)?.body);
                for (const value of Object.values(canaries)) assert(isIn(value, sent));
                assert.equal(await resource.up(inputs), "same");
                assert.deepEqual(await resource.refresh(), []);
                assert.equal(await resource.up(inputs), "same");
                const rotated = canary("rotated");
                environment[name] = variables[name]?.startsWith("{") ? JSON.stringify({ key: rotated }) : rotated;
                await simulator.forget();
                await resource.preview(inputs);
                assert.equal(await resource.up(inputs), "updated");
                assert.equal((await simulator.writes()).length, 1);
                assert.equal(await resource.up(inputs), "same");
                for (const each of Object.keys(variables)) Reflect.deleteProperty(environment, each);
                assert.deepEqual(await resource.refresh(), []);
                await resource.destroy();
                holdsNone({ ...canaries, rotated }, everything(resource), "state and messages");
            });
        }

        it(`of ${title} moves between both properties and another source without a write, and leaves the state, in the ${one} host`, async () => {
            const { environment, resource } = start(one);
            await resource.up(given);
            await simulator.forget();
            assert.equal(await resource.up(inputs), "updated");
            holdsNone(canaries, everything(resource), "state and messages");
            assert.equal(await resource.up(inputs), "same");
            environment["OTHER"] = variables[name];
            const renamed = JSON.parse(JSON.stringify(inputs).replace(`"${name}"`, '"OTHER"'));
            assert.equal(await resource.up(renamed), "same");
            assert.equal(await resource.up(given), "updated");
            assert.deepEqual(await simulator.writes(), []);
            assert.deepEqual(await resource.refresh(), []);
            assert.equal(await resource.up(given), "same");
        });

        it(`of ${title} is not in a half-made object, in the ${other} host`, async () => {
            const { resource } = start(other);
            await simulator.fault({
                method: "GET",
                times: 9,
                skip: 1,
                status: 500,
                body: JSON.stringify({ errors: Object.values(variables) }),
            });
            await assert.rejects(resource.up(inputs));
            assert(resource.state);
            await simulator.heal();
            await simulator.forget();
            assert.equal(await resource.up(inputs), "updated");
            holdsNone(canaries, everything(resource), "state and messages");
        });
    }
});

describe("a refusal that quotes a secret from a variable", () => {
    const simulator = withSimulator(joined(...cases.map(({ type }) => factsOf(type).seed ?? {})));
    /** The first case of each type. */
    const some = cases.filter(({ type }, index) => cases.findIndex((each) => each.type === type) === index);

    for (const { type, inputs, variables, canaries } of some) {
        const [name = "", value = ""] = Object.entries(variables)[0] ?? [];
        const refusal = [value, JSON.stringify(value), Buffer.from(value).toString("base64")];
        const body = type === "CsiVolume" ? refusal.join(" ") : JSON.stringify({ errors: refusal });
        const refusals = ["GET", "DELETE"].map((method) => ({ method, times: 99, status: 400, body }));

        for (const host of hosts) {
            /** A deployed resource whose process does not know the secret, as in `pulumi refresh`, and how often it reads the variable. */
            const start = async (now: string | undefined) => {
                const isNative = host === "native";
                const deployed = simulator.resource(type, { environment: { ...variables }, isNative });
                await deployed.up(inputs);
                let reads = 0;
                const environment: NodeJS.ProcessEnv = { ...variables };
                const get = () => {
                    reads++;
                    return now;
                };
                Object.defineProperty(environment, name, { enumerable: true, get });
                const resource = simulator.resource(type, { environment, isNative });
                resource.state = deployed.state;
                reads = 0;
                return { resource, reads: () => reads };
            };

            for (const [what, now, words] of [
                ["without the secret", value, /\[secret\]/],
                ["not at all if the source is empty", undefined, /not shown, because it may quote/],
                ["not at all if the source has another value", canary("other"), /not shown, because it may quote/],
            ] as const) {
                it(`is shown ${what}, in a refresh and a destroy of ${type}, in the ${host} host`, async () => {
                    const { resource, reads } = await start(now);
                    await resource.refresh();
                    // A digest takes time, and a refresh of many objects must not pay it.
                    assert.equal(reads(), 0);
                    await simulator.fault(...refusals);
                    for (const verb of [() => resource.refresh(), () => resource.destroy()]) {
                        const { message } = await failureOf(verb(), Shown);
                        assert.match(message, words);
                        assert.match(message, /: 400: /);
                        holdsNone(canaries, message + everything(resource), "state and messages");
                    }
                    await simulator.heal();
                    await resource.destroy();
                });
            }
        }
    }

    /** A deployed resource whose source has gone, and its secret. */
    const withoutSource = async (wanted: string) => {
        const { type, inputs, variables, canaries } = some.find(({ type }) => type === wanted) ?? assert.fail();
        const environment: NodeJS.ProcessEnv = { ...variables };
        const resource = await simulator.resource(type, { environment }).deployed(inputs);
        for (const name of Object.keys(variables)) Reflect.deleteProperty(environment, name);
        const [secret = ""] = Object.values(variables);
        return { resource, secret, canaries };
    };

    it("of a volume in use is retried and named although the secret is not known", async () => {
        const { resource, secret, canaries } = await withoutSource("CsiVolume");
        const body = `volume in use: prod/data ${secret}`;
        await simulator.fault({ method: "DELETE", times: 1, status: 500, body });
        await resource.destroy();
        holdsNone(canaries, everything(resource), "state and messages");
    });

    it("leaves its words out where an answer to a later read has the secret, which is not known", async () => {
        const { resource, secret, canaries } = await withoutSource("CsiVolume");
        const [namespace, volume] = resource.state?.id.split("/") ?? [];
        const claim = { namespace, volume, node: "node-1", allocation: "alloc-1", job: secret };
        await simulator.control("POST", "/simulator/claims", claim);
        const { message } = await failureOf(resource.destroy(), Shown);
        assert.match(message, /is in use by \[not shown, because it may quote/);
        holdsNone(canaries, message + everything(resource), "state and messages");
    });
});

const s3 = { type: "aws-s3", pathPrefix: "p", bucket: "b", region: "r" };
const snapshot = (storage: Props) => ({ name: "hourly", interval: "1h", storage: { ...s3, ...storage } });
const snapshotPath = "/v1/sys/storage/raft/snapshot-auto/config/hourly";
const login = { tenantId: "t", resource: "r" };
const key = canary("key");
const outsideKey = canary("key from outside");
const from = { secretAccessKeyFrom: { variable: "KEY" } };

describe("a secret that the server shows", () => {
    const simulator = withSimulator({ mounts: ["azure"] });
    const start = () => simulator.resource("SnapshotConfig", { environment: { KEY: key } });
    const shown = async () => {
        const { data } = (await simulator.outside("GET", snapshotPath)) as { data: Props };
        return data["aws_secret_access_key"];
    };

    it("is drift if it is another one, which the next `up` repairs", async () => {
        const config = await start().deployed(snapshot(from));
        await simulator.outside("POST", snapshotPath, { aws_secret_access_key: outsideKey });
        assert.deepEqual(await config.refresh(), ["storage"]);
        await config.preview(snapshot(from));
        assert.equal(await config.up(snapshot(from)), "updated");
        assert.equal(await shown(), key);
        assert.equal(await config.up(snapshot(from)), "same");
        holdsNone({ key, outsideKey }, everything(config), "state and messages");
    });

    it("leaves the outputs of an import at the first `up` with a source, without a write", async () => {
        await start().up(snapshot(from));
        const imported = await start().imported("hourly");
        assert(imported.state);
        await simulator.forget();
        assert.equal(await imported.up(snapshot(from)), "updated");
        assert.deepEqual(await simulator.writes(), []);
        holdsNone({ key }, everything(imported), "state and messages");
    });

    for (const [other, what] of [
        [false, "nothing that the server shows"],
        [true, "storage.secretAccessKeyFrom"],
    ] as const) {
        it(`is compared in the preview of an adoption, which ${other ? "changes" : "does not change"} it`, async () => {
            await start().up(snapshot(from));
            if (other) await simulator.outside("POST", snapshotPath, { aws_secret_access_key: outsideKey });
            await simulator.forget();
            const taken = start();
            const said = await taken.preview({ ...snapshot(from), adopt: true });
            assert(said.join().includes(`change ${what}`), said.join());
            await taken.up({ ...snapshot(from), adopt: true });
            assert.equal((await simulator.writes()).length, other ? 1 : 0);
            assert.equal(await shown(), key);
            holdsNone({ key, outsideKey }, everything(taken), "state and messages");
        });
    }
});

describe("a secret of a login configuration", () => {
    const simulator = withSimulator({ mounts: ["azure"] }, { vocabulary: "documented" });

    it("is sent only at creation and when its value changes, so that a rotation lasts", async () => {
        const environment: NodeJS.ProcessEnv = { SECRET: key };
        const config = simulator.resource("AuthConfig", { environment });
        const inputs = { ...login, mount: "azure", clientSecretFrom: { variable: "SECRET" } };
        const sent = async () => (await simulator.writes()).map(({ body }) => Object(body)["client_secret"]);
        await config.up(inputs);
        await config.up({ ...inputs, clientId: "c" });
        environment["SECRET"] = outsideKey;
        const said = await config.preview({ ...inputs, clientId: "c" });
        assert.match(said.join(), /clientSecret: the value of the variable SECRET changed/);
        await config.up({ ...inputs, clientId: "c" });
        assert.deepEqual(await sent(), [key, undefined, outsideKey]);
        const without = { ...login, mount: "azure", clientId: "c" };
        assert.match((await config.preview(without)).join(), /clientSecret: is no longer given/);
        await config.up(without);
        assert.equal((await sent()).at(-1), undefined);
        holdsNone({ key, outsideKey }, everything(config), "state and messages");
    });
});

describe("the source of a secret", () => {
    const simulator = withSimulator({ mounts: ["azure"] });
    const folder = temporaryFolder();

    for (const [source, problem] of [
        [{ variable: "ABSENT" }, /^storage\.secretAccessKeyFrom: the variable ABSENT is empty\. Set it/],
        [{ variable: `${key}` }, /secretAccessKeyFrom\.variable: must be the name of a variable/],
        [{}, /secretAccessKeyFrom\.variable: give either/],
        [{ variable: "KEY", file: "KEY" }, /secretAccessKeyFrom\.variable: give either/],
        ["KEY", /secretAccessKeyFrom: must be an object/],
    ] as const) {
        it(`${JSON.stringify(source).slice(0, 40)} is an error of the check of \`up\`, which shows no part of a value`, async () => {
            const config = simulator.resource("SnapshotConfig", { environment: { KEY: key } });
            const error = await failureOf(config.check(snapshot({ secretAccessKeyFrom: source })), CheckFailed);
            assert.match(error.message, problem);
            assert.equal(error.reasons.length, 1);
            holdsNone({ key }, everything(config) + error.message, "messages");
        });
    }

    it("is an error beside the secret itself, and if the secret is no valid one", async () => {
        const config = simulator.resource("SnapshotConfig", { environment: { KEY: key } });
        const both = await failureOf(config.preview(snapshot({ ...from, secretAccessKey: "x" })), CheckFailed);
        assert.deepEqual(both.paths, ["storage.secretAccessKeyFrom"]);
        const gcs = { type: "google-gcs", pathPrefix: "p/", bucket: "b", serviceAccountKeyFrom: { variable: "KEY" } };
        const invalid = await failureOf(config.preview({ ...snapshot({}), storage: gcs }), CheckFailed);
        assert.deepEqual(invalid.paths, ["storage.serviceAccountKey"]);
        holdsNone({ key }, everything(config) + invalid.message, "messages");
    });

    it("passes in a preview while it is unknown", async () => {
        const config = simulator.resource("SnapshotConfig", { environment: {} });
        for (const source of [unknown, { variable: unknown }])
            await config.preview(snapshot({ secretAccessKeyFrom: source }));
        assert.deepEqual(config.warnings, []);
    });

    it("gives equal secrets different digests, and one secret the same digest in each run", async () => {
        const digests = await Promise.all(
            ["dev", "dev", "prod"].map(async (stack) => {
                const config = simulator.resource("SnapshotConfig", { environment: { KEY: key }, stack });
                const { storage } = await config.check(snapshot({ ...from, sessionTokenFrom: { variable: "KEY" } }));
                return JSON.stringify(storage).match(/scrypt\$[\w-]{22}\$[\w-]{43}/g) ?? [];
            }),
        );
        const [first, again, other] = digests;
        assert.deepEqual(first, again);
        assert.equal(new Set([...(first ?? []), ...(other ?? [])]).size, 4);
    });

    it("keeps its digest under another URN while the value is the same, and with `ignoreChanges`, which returns the digest", async () => {
        const environment: NodeJS.ProcessEnv = { KEY: key };
        const config = await simulator.resource("SnapshotConfig", { environment }).deployed(snapshot(from));
        const moved = simulator.resource("SnapshotConfig", { environment, stack: "moved" });
        moved.state = config.state;
        assert.equal(await moved.up(snapshot(from)), "same");
        assert.deepEqual(moved.state?.inputs, config.state?.inputs);
        environment["KEY"] = outsideKey;
        const { secretAccessKeyFrom } = Object(config.outputs()["storage"]);
        assert.equal(await config.up(snapshot({ secretAccessKeyFrom })), "same");
    });

    it("whose value changed since `check` fails the write", async () => {
        const environment: NodeJS.ProcessEnv = { KEY: key };
        const config = simulator.resource("SnapshotConfig", { environment });
        const check = config.check.bind(config);
        config.check = async (...args) => {
            const checked = await check(...args);
            environment["KEY"] = outsideKey;
            return checked;
        };
        const error = await failureOf(config.up(snapshot(from)), Shown);
        assert.match(error.message, /secretAccessKeyFrom: the value of the variable KEY changed since the preview/);
        assert.deepEqual(await simulator.writes(), []);
        holdsNone({ key, outsideKey }, everything(config) + error.message, "messages");
    });

    for (const host of hosts) {
        const start = (environment: NodeJS.ProcessEnv) =>
            simulator.resource("SnapshotConfig", { environment, isNative: host === "native" });

        it(`that a preview cannot read counts as unchanged, and a write of it sends nothing, in the ${host} host`, async () => {
            const environment: NodeJS.ProcessEnv = { KEY: key };
            const config = await start(environment).deployed(snapshot(from));
            Reflect.deleteProperty(environment, "KEY");
            await simulator.forget();
            const said = await config.preview(snapshot(from));
            assert.match(said.join(), /secretAccessKeyFrom: the variable KEY is empty.* \[preview\]$/);
            assert.deepEqual(config.warnings, []);
            await config.preview({ ...snapshot(from), retain: 9 });
            await assert.rejects(config.up({ ...snapshot(from), retain: 9 }), /secretAccessKeyFrom: the variable KEY/);
            assert.deepEqual(await simulator.writes(), []);
            if (host === "dynamic") return assert.rejects(config.up(snapshot(from)), CheckFailed);
            assert.equal(await config.up(snapshot(from)), "same");
            assert.equal(await config.up({ ...snapshot(from), adopt: true }), "updated");
            assert.deepEqual(await simulator.writes(), []);
        });

        it(`of a new object that only \`up\` can read has its digest in state, in the ${host} host`, async () => {
            const environment: NodeJS.ProcessEnv = {};
            const config = start(environment);
            await config.preview(snapshot(from));
            assert.equal(config.warnings.join(), "");
            await assert.rejects(config.up(snapshot(from)), /secretAccessKeyFrom: the variable KEY is empty/);
            assert.equal(config.state, undefined);
            assert.deepEqual(await simulator.writes(), []);
            environment["KEY"] = key;
            await config.up(snapshot(from));
            assert.match(JSON.stringify(config.outputs()), /"digest":"scrypt\$/);
            assert.equal(await config.up(snapshot(from)), "same");
        });
    }

    it("shows its digest as unknown in the preview of a new object", async () => {
        const config = simulator.resource("SnapshotConfig", { environment: {} });
        const { storage } = await config.check(snapshot(from), true);
        assert.deepEqual(unsealed(Object(storage).secretAccessKeyFrom), { variable: "KEY", digest: unknown });
    });

    it("is no change if a file moves, and state names the new path after the next write", async () => {
        const files = ["one", "two"].map((name) => join(folder, name));
        for (const file of files) writeFileSync(file, `${key}\n`);
        const [one, two] = files.map((file) => snapshot({ secretAccessKeyFrom: { file } }));
        assert(one && two);
        const config = await simulator.resource("SnapshotConfig").deployed(one);
        await simulator.forget();
        assert.equal((await config.diff(two)).changes, false);
        assert.equal(await config.up(two), "same");
        assert.deepEqual(await config.refresh(), []);
        assert.equal(await config.up(two), "same");
        assert.deepEqual(await simulator.writes(), []);
        await config.up({ ...two, retain: 9 });
        assert(JSON.stringify(config.outputs()).includes(join(folder, "two")));
    });

    it("names a Node that forbids scrypt, as one with FIPS does, as the reason for which there is no digest", async () => {
        const forbidden = mock.method(crypto, "scrypt", (...args: unknown[]) => {
            const done = args.at(-1) as (error: Error) => void;
            done(new Error("digital envelope routines::unsupported"));
        });
        const config = simulator.resource("SnapshotConfig", { environment: { KEY: key } });
        await assert.rejects(config.check(snapshot(from)), /scrypt.*FIPS/).finally(() => forbidden.mock.restore());
    });

    it("works in scripts", async () => {
        const { snapshotConfig } = simulator.connect({ environment: { KEY: key } });
        const { id, outputs } = await snapshotConfig.create(snapshot(from) as never);
        const read = await snapshotConfig.read(id, outputs);
        assert.deepEqual(Object(read?.storage).secretAccessKeyFrom, Object(outputs.storage).secretAccessKeyFrom);
        holdsNone({ key }, JSON.stringify([outputs, read]), "outputs");
    });
});
