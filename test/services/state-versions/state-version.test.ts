import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../src/client";
import { noPreview, refusedNow } from "../../../src/core/failures";
import {
    contentNotAtHand,
    jsonUnsent,
    lockUnseen,
    lowSerial,
    outputsUnsent,
    tooLate,
    unfilled,
    unfilledUnderLock,
    versionStays,
} from "../../../src/services/state-versions/failures";
import type { Fault } from "../../../src/simulator/faults";
import type { Seed } from "../../../src/simulator/seed";
import { canaryToken } from "../../support/canaries";
import { failureOf } from "../../support/failures";
import { CheckFailed, type ManagedResource, Shown } from "../../support/managed-resource";
import { wordsOf } from "../../support/messages";
import { withSimulator } from "../../support/simulator";
import { contentType, problemIn, refusal } from "./fixture";

type Props = Record<string, unknown>;

const lineage = "6c1e54e8-0000-4000-8000-000000000001";
const state = (serial: number, extra: Props = {}) => ({
    version: 4,
    tool_version: "1.6.2",
    serial,
    lineage,
    outputs: { password: { value: "planted-output-7c1", type: "string", sensitive: true } },
    resources: [
        { mode: "managed", type: "server", name: "a", provider: "example", instances: [{ attributes: { id: "a" } }] },
    ],
    ...extra,
});
const raw = (serial: number, extra: Props = {}) => JSON.stringify(state(serial, extra));
const md5 = (text: string) => createHash("md5").update(text).digest("hex");
const sha256 = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

/** Assets as the engine hands them to a provider. */
const assetKey = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17" };
const stringAsset = (text: string) => ({ ...assetKey, hash: sha256(text).slice(7), text });
const fileAsset = (path: string) => ({ ...assetKey, hash: "", path });

const seed: Seed = {
    tokens: [
        { token: canaryToken, kind: "user", id: "user-1" },
        { token: "outside", kind: "user", id: "user-2" },
    ],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [{ id: "sv-4", state: state(4, { resources: [] }) }],
        },
        { id: "ws-2", name: "new", organization: "example" },
        {
            id: "ws-3",
            name: "frozen",
            organization: "example",
            locked: { by: { type: "users", id: "user-2" }, reason: "deploy freeze" },
        },
    ],
};

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const postPath = "/api/v2/workspaces/ws-1/state-versions";
const inputs = { workspaceId: "ws-1", content: raw(5), lock: true };

describe("StateVersion", () => {
    const simulator = withSimulator(seed);
    let folder: string;
    before(() => {
        folder = mkdtempSync(join(tmpdir(), "state-version-"));
    });
    after(async () => {
        rmSync(folder, { recursive: true });
    });

    const version = (settings: Props = {}, isNative = false) =>
        simulator.resource("StateVersion", { settings: { "statecraft:stateVersions": settings }, isNative });
    const headers = { authorization: `Bearer ${canaryToken}`, "content-type": "application/vnd.api+json" };
    const api = async (path: string, method = "GET", body?: unknown): Promise<Props> => {
        const init = body === undefined ? {} : { body: JSON.stringify(body) };
        const answer = await fetch(`${simulator.url}/api/v2${path}`, { method, headers, ...init });
        assert(answer.ok, `${path}: ${answer.status}`);
        return ((await answer.json()) as { data: Props }).data;
    };
    const current = async (workspace = "ws-1") => api(`/workspaces/${workspace}/current-state-version`);
    const attributes = (record: Props) => record["attributes"] as Props;
    const isLocked = async (workspace = "ws-1") => attributes(await api(`/workspaces/${workspace}`))["locked"];
    const contentOf = async (record: Props) =>
        (await fetch(String(attributes(record)["hosted-state-download-url"]))).text();
    const all = async () =>
        (await api(
            "/state-versions?filter[workspace][name]=app&filter[organization][name]=example",
        )) as unknown as Props[];
    const posts = async () =>
        (await simulator.requests()).filter(({ method, path }) => method === "POST" && path === postPath);
    const dataOf = (request: { body: unknown } | undefined): Props => {
        const { data } = (request?.body ?? {}) as { data?: Props };
        return data ?? {};
    };
    /** Every such request is refused from now on, in the service's form. */
    const refuses = (method: string, path: string, status = 500, more: Partial<Fault> = {}) =>
        simulator.fault({ method, path, times: 0, ...refusal(status), ...more });
    /** Every such read shows this from now on. */
    const told = (data: unknown) => ({ times: 0, status: 200, body: JSON.stringify({ data }), contentType });
    /** The one warning is that a version cannot be deleted. */
    const onlyStays = ({ warnings }: ManagedResource) => {
        assert.equal(warnings.length, 1, warnings.join("\n"));
        assert.match(warnings.join(), wordsOf(versionStays));
    };
    const puts = async () => (await simulator.requests()).filter(({ method }) => method === "PUT");
    const file = (name: string, text: string) => {
        const path = join(folder, name);
        writeFileSync(path, text);
        return path;
    };
    const announce = async (text: string, serial: number) => {
        await api("/workspaces/ws-1/actions/lock", "POST", { reason: "x" });
        const data = { type: "state-versions", attributes: { serial, md5: md5(text), lineage } };
        return String((await api("/workspaces/ws-1/state-versions", "POST", { data }))["id"]);
    };

    describe("check", () => {
        for (const [given, message] of [
            [{ workspaceId: "ws/1" }],
            [{ content: 5 }, /content: must be a Pulumi asset, a path, or the text itself/],
            [{ content: "{" }, /content: must be a state: what is given is not a JSON object/],
            [{ content: "{}" }, /content: must be a state: it holds no serial/],
            [{ content: '{"serial":"5"}' }, /content: must be a state: its serial is not a whole number/],
            [{ content: '{"serial":5,"lineage":1}' }, /content: must be a state: its lineage is not a string/],
            [{ content: "no-such.state" }, /content: must be .*which begins with \{; taken for a path.*\(ENOENT\)$/],
            [{ content: fileAsset("no-such.state") }, /content: must be a file .*: no-such.state cannot \(ENOENT\)/],
            [{ content: { ...assetKey, uri: "https://example.com/x" } }, /content: .*remote assets are not fetched/],
            [
                { content: { ...assetKey, uri: "file://elsewhere.example/x" } },
                /content: must be in a file of this machine/,
            ],
            [{ jsonContent: stringAsset("nothing") }, /jsonContent: must be a JSON object/],
            [{ jsonContent: stringAsset("[]") }],
            [{ runId: "run 1" }, /runId: must be the id of a run/],
            [{ lock: "yes" }],
            [{ content: { ...assetKey, uri: "file:///no-such.state" } }],
            [{ content: stringAsset("[]") }],
            [{ content: { ...assetKey, uri: "file:///a%2fb" } }],
            [{ serial: 5 }],
        ] as const) {
            it(`refuses ${JSON.stringify(given)}`, async () => {
                const paths = Object.keys(given);
                await assert.rejects(version().check({ ...inputs, ...given }), {
                    paths,
                    ...(message && { message }),
                });
            });
        }

        it("requires the workspace and the content", async () => {
            await assert.rejects(version().check({}), { paths: ["workspaceId", "content"] });
        });

        it("never quotes a content that it cannot read, nor one in a form that it does not take", async () => {
            for (const [content, piece] of [
                ['{"serial": planted-secret', "planted-secret"],
                [`[${raw(5)}]`, "planted-output"],
                [JSON.stringify(raw(5)), "planted-output"],
                [`\0${raw(5)}`, "planted-output"],
                [Buffer.from(raw(5)).toString("base64"), Buffer.from(raw(5)).toString("base64").slice(0, 12)],
                [Buffer.from("planted").toString("base64"), Buffer.from("planted").toString("base64")],
            ] as const) {
                const { paths, message } = await failureOf(version().check({ ...inputs, content }), CheckFailed);
                assert.deepEqual(paths, ["content"]);
                assert(!message.includes(piece), message);
            }
        });

        it("keeps the digest of every form, and nothing of the content", async () => {
            const path = file("a.state", raw(5));
            for (const content of [raw(5), ` ${raw(5)}`, stringAsset(raw(5)), path, fileAsset(path)]) {
                const checked = await version().check({ ...inputs, content });
                const text = content === ` ${raw(5)}` ? content : raw(5);
                assert.equal(checked["content"], sha256(text));
                assert(!JSON.stringify(checked).includes("planted-output"));
            }
        });

        it("takes a file's address, and a path of an asset that the engine has not read", async () => {
            const path = file("b.state", raw(5));
            const checked = await version().check({ ...inputs, content: { ...assetKey, uri: `file://${path}` } });
            assert.equal(checked["content"], sha256(raw(5)));
        });

        it("changes nothing when asked twice, and lets unknown contents pass", async () => {
            const first = await version().check(inputs);
            assert.deepEqual((await version().check(first))["content"], first["content"]);
            for (const content of [unknown, { ...assetKey, hash: "", text: unknown }])
                assert.deepEqual((await version().check({ ...inputs, content }))["content"], content);
        });
    });

    describe("preview", () => {
        it("tells what will become current", async () => {
            assert.deepEqual(await version().preview(inputs), [
                "a new state with serial 5 will become current in ws-1 (now: sv-4, serial 4)",
            ]);
            assert.deepEqual(await version().preview({ ...inputs, workspaceId: "ws-2" }), [
                "a new state with serial 5 will become current in ws-2 (now: no state yet)",
            ]);
            assert.deepEqual(await simulator.writes(), []);
        });

        it("warns of a serial that is not higher, of another content with the same one, and of another lineage", async () => {
            for (const [content, warning] of [
                [
                    raw(3),
                    /this would fail now: content: its serial 3 is not higher than 4, the serial of the current version sv-4\. Set `serial` .* to 5/,
                ],
                [
                    raw(4),
                    /content: its serial 4 is that of the current version sv-4, which holds another content \(MD5/,
                ],
                [raw(5, { lineage: "other" }), /content: its lineage other is another than 6c1e54e8/],
            ] as const) {
                const life = version();
                await life.preview({ ...inputs, content });
                assert.equal(life.warnings.length, 1);
                assert.match(life.warnings[0] ?? "", warning);
            }
        });

        it("takes the current serial from the content where the service does not tell it", async () => {
            const { serial: _, ...others } = attributes(await current());
            const data = { id: "sv-4", type: "state-versions", attributes: others };
            await simulator.fault({ path: "/ws-1/current-state-version$", ...told(data) });
            const life = version();
            await life.preview({ ...inputs, content: raw(3) });
            assert.match(life.warnings.join(), wordsOf(lowSerial));
        });

        it("warns of a lock that up could not work under, and takes none", async () => {
            for (const [given, code] of [
                [{ workspaceId: "ws-3" }, "locked"],
                [{ workspaceId: "ws-3", lock: false }, "locked"],
                [{ lock: false }, "unlocked"],
            ] as const) {
                const life = version();
                await life.preview({ ...inputs, ...given });
                const failure = await failureOf(life.up({ ...inputs, ...given }), Shown);
                assert.equal(failure.code, code);
                assert.deepEqual(life.warnings, [refusedNow({ problem: problemIn(failure) })]);
            }
            const life = version();
            await life.preview({ workspaceId: "ws-1", content: raw(5) });
            await api("/workspaces/ws-1/actions/lock", "POST", { reason: "mine" });
            await simulator.forget();
            await life.preview({ ...inputs, lock: false });
            await life.preview(inputs);
            assert.deepEqual(life.warnings, []);
            assert.deepEqual(await simulator.writes(), []);
        });

        it("says nothing of a lock where it is not known yet whether one is taken", async () => {
            await api("/workspaces/ws-1/actions/lock", "POST", { reason: "[statecraft o/app/prod x]" });
            const life = version();
            await life.preview({ ...inputs, lock: unknown });
            assert.deepEqual(life.warnings, []);
        });

        it("says nothing for what is there, and does not fail when it cannot look", async () => {
            const life = version();
            await life.up(inputs);
            assert.deepEqual(await life.preview(inputs), []);
            await refuses("GET", "current-state-version");
            const blind = version();
            await blind.preview(inputs);
            assert.match(blind.warnings.join(), wordsOf(noPreview));
        });
    });

    describe("create", () => {
        it("locks, announces the version, uploads its content, reads again, and unlocks", async () => {
            const life = version();
            assert.equal(await life.up(inputs), "created");
            const writes = (await simulator.writes()).map(({ method, path, body }) => [method, path, body]);
            const [upload] = await puts();
            assert.deepEqual(writes, [
                [
                    "POST",
                    "/api/v2/workspaces/ws-1/actions/lock",
                    { reason: "uploading the state with serial 5 [statecraft o/app/dev x]" },
                ],
                [
                    "POST",
                    postPath,
                    { data: { type: "state-versions", attributes: { serial: 5, md5: md5(raw(5)), lineage } } },
                ],
                ["PUT", upload?.path, state(5)],
                ["POST", "/api/v2/workspaces/ws-1/actions/unlock", null],
            ]);
            const record = await current();
            assert.equal(life.state?.id, record["id"]);
            assert.equal(await contentOf(record), raw(5));
            assert.equal(await isLocked(), false);
            const { serial, lineage: told, md5: hash, status, resourcesProcessed, createdAt, size } = life.outputs();
            assert.deepEqual([serial, told, hash, status, size], [5, lineage, md5(raw(5)), "finalized", raw(5).length]);
            assert.equal(typeof resourcesProcessed, "boolean");
            assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT/);
        });

        for (const kind of ["dynamic", "native"]) {
            it(`sends raw bytes to the upload address, without the token (${kind})`, async () => {
                await version({}, kind === "native").up(inputs);
                const [upload] = await puts();
                assert.equal(upload?.headers["authorization"], undefined);
                assert.equal(upload?.headers["content-type"], "application/octet-stream");
            });
        }

        it("is quiet afterwards", async () => {
            const life = version();
            await life.up(inputs);
            await life.refresh();
            assert.equal(await life.up(inputs), "same");
            assert.deepEqual(await life.refresh(), []);
            assert.equal(await life.up({ ...inputs, content: stringAsset(raw(5)) }), "same");
            assert.equal((await posts()).length, 1);
        });

        it("holds neither content nor addresses in state", async () => {
            const life = version();
            await life.up({ ...inputs, jsonContent: '{"values":"planted-output"}' });
            const text = JSON.stringify(life.state);
            assert(!/planted-output|\/v1\/object/.test(text), text);
            assert.equal(life.outputs()["content"], sha256(raw(5)));
        });

        it("makes the first version of a workspace", async () => {
            const life = version();
            await life.up({ ...inputs, workspaceId: "ws-2", content: raw(0) });
            assert.equal((await current("ws-2"))["id"], life.state?.id);
            assert.equal(life.outputs()["serial"], 0);
        });

        it("uploads the JSON form too, and sends outputs along", async () => {
            const json = '{"format_version":"1.0"}';
            await version().up({ ...inputs, jsonContent: json, jsonStateOutputs: '{"a":{"value":1}}' });
            const [post] = await posts();
            const sent = attributes(dataOf(post));
            assert.equal(sent["json-state-outputs"], Buffer.from('{"a":{"value":1}}').toString("base64"));
            assert.equal(sent["json-state"], undefined);
            assert.equal((await puts()).length, 2);
            const address = attributes(await current())["hosted-json-state-download-url"];
            assert.equal(await (await fetch(String(address))).text(), json);
        });

        it("warns of a JSON form that the service names no address for, and of none that was not given", async () => {
            const record = (status: number, attributes: object) => {
                const data = { id: "sv-9", type: "state-versions", attributes: { serial: 5, ...attributes } };
                return { status, body: JSON.stringify({ data }), contentType, times: 0 };
            };
            const announced = { status: "pending", "hosted-state-upload-url": `${simulator.url}/v1/object/nine` };
            await simulator.fault(
                { method: "POST", path: "/ws-1/state-versions$", ...record(201, announced) },
                { method: "PUT", path: "/v1/object/nine$", status: 200, times: 0 },
                { method: "GET", path: "/state-versions/sv-9$", ...record(200, { status: "finalized" }) },
            );
            const [plain, both] = [version(), version()];
            await plain.up(inputs);
            await both.up({ ...inputs, jsonContent: '{"format_version":"1.0"}' });
            assert.deepEqual(plain.warnings, []);
            assert.equal(both.warnings.length, 1);
            assert.match(both.warnings.join(), wordsOf(jsonUnsent));
        });

        it("inline, sends everything in the one request", async () => {
            const life = version();
            const json = '{"format_version":"1.0"}';
            await life.up({ ...inputs, inline: true, jsonContent: json, runId: "run-1" });
            assert.equal((await puts()).length, 0);
            const [post] = await posts();
            const data = dataOf(post);
            assert.deepEqual(attributes(data), {
                serial: 5,
                md5: md5(raw(5)),
                lineage,
                state: Buffer.from(raw(5)).toString("base64"),
                "json-state": Buffer.from(json).toString("base64"),
            });
            assert.deepEqual(data["relationships"], { run: { data: { type: "runs", id: "run-1" } } });
            assert.equal(life.state?.id, (await current())["id"]);
        });

        it("takes a state without lineage after one that has it, and the other way round", async () => {
            const without = { lineage: undefined };
            await version().up({ ...inputs, content: raw(5, without) });
            assert.equal(await contentOf(await current()), raw(5, without));
            await version().up({ ...inputs, content: raw(6) });
            assert.equal(await contentOf(await current()), raw(6));
        });

        it("refuses what cannot follow the current version before it locks anything", async () => {
            for (const [content, code] of [
                [raw(3), "serial"],
                [raw(4), "serial"],
                [raw(9, { lineage: "other" }), "lineage"],
            ] as const) {
                await assert.rejects(version().up({ ...inputs, content }), { code });
            }
            assert.deepEqual(await simulator.writes(), []);
        });

        it("explains a conflict that the service alone can see", async () => {
            await simulator.fault({
                method: "POST",
                path: "ws-1/state-versions",
                status: 409,
                body: '{"errors":[{"status":"409","title":"conflict","detail":"The lineage provided in the state file does not match"}]}',
                contentType: "application/vnd.api+json",
            });
            await assert.rejects(version().up(inputs), /409: The lineage provided.*look at its serial and lineage/);
            assert.equal(await isLocked(), false);
        });

        it("explains a 404: missing, or no right", async () => {
            await assert.rejects(version().up({ ...inputs, workspaceId: "ws-9" }), { code: "not-found" });
        });

        it("sends nothing when the current version has exactly this content", async () => {
            const first = version();
            await first.up(inputs);
            await simulator.forget();
            const second = version();
            await second.up(inputs);
            assert.equal(second.state?.id, first.state?.id);
            assert.deepEqual(await simulator.writes(), []);
        });

        it("brings the JSON form to a version that still takes it, and makes another one for another form", async () => {
            const first = version();
            await first.up(inputs);
            const second = version();
            await second.up({ ...inputs, jsonContent: '{"a":1}' });
            assert.equal(second.state?.id, first.state?.id);
            const same = version();
            await same.up({ ...inputs, jsonContent: '{"a":1}' });
            assert.equal(same.state?.id, first.state?.id);
            const third = version();
            await third.up({ ...inputs, jsonContent: '{"a":2}' });
            assert.notEqual(third.state?.id, first.state?.id);
        });

        it("waits until the version is processed", async () => {
            await simulator.control("PATCH", "/simulator/processing", { mode: "after-seconds", n: 3 });
            const life = version();
            await life.up({ ...inputs, waitForProcessing: true });
            assert.equal(life.outputs()["resourcesProcessed"], true);
            assert.equal(life.outputs()["toolVersion"], "1.6.2");
            assert.deepEqual(life.outputs()["resources"], [
                { name: "a", type: "server", count: 1, module: "root", provider: "example" },
            ]);
        });

        it("reads a file when it is needed, and notices that it changed since", async () => {
            const path = file("c.state", raw(5));
            const life = version();
            const checked = await life.check({ ...inputs, content: path });
            writeFileSync(path, raw(6));
            await assert.rejects(life.provider.create(checked), ({ message }: Error) =>
                /content: the file has changed since it was checked\. Run again/.test(message),
            );
        });

        it("says so when only a digest is at hand", async () => {
            await assert.rejects(version().up({ ...inputs, content: sha256("nobody's") }), {
                code: "content",
                message: /content: the content with the digest sha256:\w+ is not at hand/,
            });
        });
    });

    describe("the memory of a process", () => {
        // Contents that no other test checks.
        const own = (serial: number) => ({ ...inputs, content: raw(serial, { tool_version: "1.0.0" }) });
        const isForgotten = (serial: number) =>
            assert.rejects(version().up({ ...inputs, content: sha256(own(serial).content) }), {
                message: wordsOf(contentNotAtHand),
            });

        it("holds no content longer than its verb, whatever became of that", async () => {
            await version().up(own(5));
            await isForgotten(5);
            await assert.rejects(version().up({ ...own(6), workspaceId: "ws-9" }), { status: 404 });
            await isForgotten(6);
            await assert.rejects(version({ address: "" }).up(own(7)), { code: "config" });
            await isForgotten(7);
            const announced = version();
            await simulator.fault({ method: "PUT", status: 403, times: 0 });
            await assert.rejects(announced.up(own(8)), { message: wordsOf(unfilled) });
            await simulator.heal();
            assert.equal(await announced.up(own(8)), "updated");
            await isForgotten(8);
        });

        it("holds a content for every resource that was checked with it", async () => {
            const [one, other] = [version(), version()];
            const checked = await one.check(own(5));
            await other.up({ ...own(5), workspaceId: "ws-2" });
            await one.provider.create(checked);
            assert.equal(attributes(await current())["serial"], 5);
            await isForgotten(5);
        });
    });

    describe("when something is lost", () => {
        const cut = { drop: "after" } as const;

        // Of a state whose tool is not named, the service shows no JSON form.
        const unnamed = JSON.stringify({ ...state(5), tool_version: undefined });
        for (const [what, method, given] of [
            ["an announcement", "POST", {}],
            ["an upload", "PUT", {}],
            ["an inline one", "POST", { inline: true }],
            [
                "one whose JSON form is not shown",
                "POST",
                { inline: true, content: unnamed, jsonContent: '{"format_version":"1.0"}' },
            ],
        ] as const) {
            it(`recognises a version by what it holds after the lost answer to ${what}, and makes no second one`, async () => {
                await simulator.fault({ method, path: method === "POST" ? "ws-1/state-versions" : "/object/", ...cut });
                const life = version();
                await life.up({ ...inputs, ...given });
                assert.deepEqual([(await posts()).length, (await all()).length], [1, 2]);
                assert.equal((await puts()).length, "inline" in given ? 0 : 1);
                assert.equal((await current())["id"], life.state?.id);
                assert.equal(await isLocked(), false);
            });
        }

        it("does not take the version for its own that was current before, with the same state", async () => {
            const now = await contentOf(await current());
            await simulator.fault({ method: "POST", path: "ws-1/state-versions", drop: "before" });
            const life = version();
            const other = { ...inputs, content: now, inline: true, jsonContent: '{"format_version":"1.0"}' };
            await assert.rejects(life.up(other), { code: "open" });
            assert.equal(life.state, undefined);
            assert.equal((await all()).length, 1);
        });

        it("fails without a second request when nothing was made; the next up makes it", async () => {
            await simulator.fault({ method: "POST", path: "ws-1/state-versions", drop: "before" });
            const life = version();
            await assert.rejects(life.up(inputs), { code: "open" });
            assert.equal((await all()).length, 1);
            assert.equal(await isLocked(), false);
            await life.up(inputs);
            assert.equal((await all()).length, 2);
        });

        it("uses at the next up the version that nobody could see", async () => {
            await simulator.fault(
                { method: "POST", path: "ws-1/state-versions", ...cut },
                {
                    method: "GET",
                    path: "/api/v2/state-versions$",
                    skip: 1,
                    times: 0,
                    status: 500,
                    body: "",
                    contentType: "text/plain",
                },
            );
            const life = version();
            await assert.rejects(life.up(inputs), { code: "open" });
            await simulator.heal();
            await life.up(inputs);
            assert.equal((await posts()).length, 1, "one announcement in both runs");
            assert.equal((await current())["id"], life.state?.id);
            assert.equal(await isLocked(), false);
        });

        it("keeps a version without its content, and the workspace locked; the next up brings it", async () => {
            await refuses("PUT", "/v1/object/");
            const life = version();
            await assert.rejects(life.up(inputs), (error: Error) => {
                assert.match(
                    error.message,
                    /was made, but its content is not there yet; the next `pulumi up` brings it, and the workspace stays locked/,
                );
                assert(!error.message.includes("/v1/object/"), "an address is shown");
                return true;
            });
            assert.deepEqual(life.outputs()["unfinished"], ["upload", "unlock"]);
            assert.equal(life.outputs()["status"], "pending");
            assert.equal(await isLocked(), true);
            await simulator.heal();
            const { id } = life.state ?? {};
            await life.refresh();
            assert.equal(await life.up(inputs), "updated");
            assert.equal(life.state?.id, id);
            assert.equal((await current())["id"], id);
            assert.equal((await posts()).length, 1);
            assert.equal(await isLocked(), false);
            assert.equal(life.outputs()["unfinished"], undefined);
            assert.equal(life.outputs()["md5"], md5(raw(5)));
            assert.equal(await life.up(inputs), "same");
        });

        it("knows that the content is there where the lock cannot be released after it", async () => {
            await refuses("PUT", "/v1/object/");
            const life = version();
            await assert.rejects(life.up(inputs), { status: 500 });
            await simulator.heal();
            await refuses("POST", "actions/unlock", 403);
            await assert.rejects(life.up(inputs), { code: "still-locked" });
            const { status, unfinished } = life.outputs();
            assert.deepEqual([status, unfinished], ["finalized", ["unlock", "readBack"]]);
        });

        it("brings the content to a version whose record tells no status", async () => {
            const attributes = { serial: 5, "hosted-state-upload-url": `${simulator.url}/v1/object/other` };
            const data = { id: "sv-9", type: "state-versions", attributes };
            const finalized = { ...data, attributes: { ...attributes, status: "finalized" } };
            await simulator.fault(
                {
                    method: "POST",
                    path: "/ws-1/state-versions$",
                    status: 201,
                    body: JSON.stringify({ data }),
                    contentType,
                },
                { method: "PUT", path: "/v1/object/other$", status: 200 },
                { method: "GET", path: "/state-versions/sv-9$", ...told(finalized) },
            );
            await version().up(inputs);
            assert.equal((await puts()).length, 1);
        });

        it("names a version whose record says nowhere where its content goes", async () => {
            const data = { id: "sv-9", type: "state-versions", attributes: { status: "pending", serial: 5 } };
            const announced = { status: 201, body: JSON.stringify({ data }), contentType };
            await simulator.fault({ method: "POST", path: "/ws-1/state-versions$", ...announced });
            await assert.rejects(version().up(inputs), { code: "no-upload" });
        });

        it("tells why the content was not taken where nobody can look whether it was", async () => {
            await refuses("PUT", "/v1/object/", 403);
            await refuses("GET", "/state-versions/sv-", 500);
            await assert.rejects(version().up(inputs), { status: 403 });
        });

        it("waits for a content that was taken and is not there, and names what it asked; the next up brings it", async () => {
            await simulator.fault({ method: "PUT", path: "/v1/object/", status: 200 });
            const life = version();
            await assert.rejects(life.up(inputs), ({ message }: Error) =>
                message.includes(`GET /state-versions/${life.state?.id}: `),
            );
            assert.deepEqual(life.outputs()["unfinished"], ["upload", "unlock"]);
            assert.equal(await life.up(inputs), "updated");
            assert.equal(await contentOf(await current()), raw(5));
            assert.equal(await isLocked(), false);
        });

        it("says who can release the workspace when it is destroyed before its content came", async () => {
            await refuses("PUT", "/v1/object/");
            const life = version();
            await assert.rejects(life.up(inputs), { message: wordsOf(unfilledUnderLock) });
            await simulator.heal();
            await life.destroy();
            assert.match(life.warnings.join(), /an administrator can POST \/workspaces\/ws-1\/actions\/force-unlock/);
        });

        it("releases the lock that it left when it is destroyed", async () => {
            await refuses("POST", "actions/unlock", 403);
            const life = version();
            await assert.rejects(life.up(inputs), { code: "still-locked" });
            await simulator.heal();
            await life.destroy();
            assert.equal(await isLocked(), false);
        });

        it("says how to go on when the version was discarded meanwhile", async () => {
            await refuses("PUT", "/v1/object/");
            const life = version();
            await assert.rejects(life.up(inputs), { status: 500 });
            await simulator.heal();
            const data = {
                type: "state-versions",
                attributes: { serial: 6, md5: md5(raw(6)), state: Buffer.from(raw(6)).toString("base64") },
            };
            await api("/workspaces/ws-1/state-versions", "POST", { data });
            for (const _ of ["with its lock", "without it"]) {
                await assert.rejects(life.up(inputs), (error: Shown) => {
                    assert.equal(error.code, "discarded");
                    assert.match(error.message, /was discarded: a newer one became current.*--replace/);
                    assert(!/brings it|locked/.test(error.message), error.message);
                    return true;
                });
                assert.deepEqual([life.outputs()["status"], life.outputs()["unfinished"]], ["discarded", ["upload"]]);
                assert.equal(await isLocked(), false);
            }
            await life.destroy();
            onlyStays(life);
        });

        it("keeps in mind that it was discarded and its lock cannot be released", async () => {
            await refuses("PUT", "/v1/object/");
            const life = version();
            await assert.rejects(life.up(inputs), { message: wordsOf(unfilledUnderLock) });
            await simulator.heal();
            await life.refresh();
            const record = { id: life.state?.id, type: "state-versions", attributes: { status: "discarded" } };
            await simulator.fault({ method: "GET", path: `/${life.state?.id}$`, ...told(record) });
            await refuses("POST", "actions/unlock", 403);
            await assert.rejects(life.up(inputs), { code: "still-locked", message: wordsOf(tooLate) });
            assert.deepEqual(life.outputs()["unfinished"], ["upload", "unlock"]);
        });

        it("says nothing of a lock where the version that replaces it has released that", async () => {
            await refuses("PUT", "/v1/object/");
            const life = version();
            await assert.rejects(life.up(inputs), { message: wordsOf(unfilledUnderLock) });
            await simulator.heal();
            assert.equal(await life.up({ ...inputs, content: raw(6) }), "replaced");
            assert.equal(await isLocked(), false);
            onlyStays(life);
        });

        it("is not forgotten with a lock that cannot be seen", async () => {
            await refuses("POST", "actions/unlock", 403);
            const life = version();
            await assert.rejects(life.up(inputs), { code: "still-locked" });
            await simulator.heal();
            await refuses("GET", "/workspaces/ws-1", 404);
            await assert.rejects(life.destroy(), { message: wordsOf(lockUnseen) });
            onlyStays(life);
            await simulator.heal();
            await life.destroy();
            assert.equal(await isLocked(), false);
        });

        it("fills an announced version of an earlier run instead of making another", async () => {
            const orphan = await announce(raw(5), 5);
            const life = version();
            await life.up({ ...inputs, lock: false });
            assert.equal(life.state?.id, orphan);
            assert.equal((await all()).length, 2);
        });

        it("makes no second version while the announced one may still be filled", async () => {
            const orphan = await announce(raw(5), 5);
            for (const status of [429, 500, 503]) {
                await simulator.forget();
                await simulator.fault({ method: "PUT", path: "/v1/object/", status, times: 0 });
                const life = version();
                await assert.rejects(life.up({ ...inputs, lock: false }), { status });
                assert.equal((await posts()).length, 0);
                assert.equal(life.state?.id, orphan);
                assert.deepEqual(life.outputs()["unfinished"], ["upload"]);
                await simulator.heal();
            }
        });

        it("takes none for announced that has another serial, no upload address, or its content already", async () => {
            const record = (attributes: Props) => ({ id: "sv-4", type: "state-versions", attributes });
            const uploadUrl = { "hosted-state-upload-url": `${simulator.url}/v1/object/other` };
            for (const other of [
                record({ status: "pending", serial: 6, ...uploadUrl }),
                record({ status: "pending", serial: 5 }),
                // Some servers pay no heed to the filter, and sign an upload address for every version.
                record({ status: "finalized", serial: 5, ...uploadUrl }),
            ]) {
                await simulator.reset();
                const answer = { status: 200, body: JSON.stringify({ data: [other] }) };
                await simulator.fault({ method: "GET", path: "/api/v2/state-versions$", times: 0, ...answer });
                const life = version();
                assert.equal(await life.up(inputs), "created");
                assert.equal((await posts()).length, 1);
                assert.equal(
                    (await puts()).some(({ path }) => path.endsWith("/other")),
                    false,
                );
                const [list] = (await simulator.requests()).filter(({ path }) => path === "/api/v2/state-versions");
                assert.equal(list?.query["filter[status]"], "pending");
                assert.equal(await contentOf(await current()), raw(5));
            }
        });

        it("makes its own where the announced one was for another content", async () => {
            const orphan = await announce(raw(5, { outputs: {} }), 5);
            const life = version();
            await life.up({ ...inputs, lock: false });
            assert.notEqual(life.state?.id, orphan);
            assert.equal(await contentOf(await current()), raw(5));
            assert.equal(attributes(await api(`/state-versions/${orphan}`))["status"], "discarded");
        });

        it("keeps the version when it cannot be read afterwards, and when its lock is stuck", async () => {
            await refuses("GET", "state-versions/sv-", 500, { skip: 1 });
            const life = version();
            await assert.rejects(life.up(inputs), { status: 500 });
            assert.deepEqual(life.outputs()["unfinished"], ["readBack"]);
            await simulator.heal();
            await life.up(inputs);
            assert.equal((await posts()).length, 1);

            await refuses("POST", "actions/unlock", 409);
            const stuck = version();
            await assert.rejects(stuck.up({ ...inputs, content: raw(6) }), {
                code: "still-locked",
                message: /the version is made, but its lock was not released/,
            });
            await simulator.heal();
            await stuck.up({ ...inputs, content: raw(6) });
            assert.equal(await isLocked(), false);
        });
    });

    describe("update, read and delete", () => {
        it("replaces for another content or workspace, the new one first, and deletes nothing", async () => {
            const life = version();
            await life.up(inputs);
            const old = String(life.state?.id);
            assert.equal(await life.up({ ...inputs, content: raw(6) }), "replaced");
            assert.equal((await current())["id"], life.state?.id);
            assert.equal(attributes(await api(`/state-versions/${old}`))["status"], "finalized");
            assert.match(life.warnings.join(), new RegExp(`state versions cannot be deleted, so ${old} stays`));
            assert.deepEqual((await life.diff({ ...inputs, content: raw(6), workspaceId: "ws-2" })).replaces, [
                "workspaceId",
            ]);
            assert.equal((await life.diff({ ...inputs, content: raw(6), runId: "run-1" })).replaces?.[0], "runId");
        });

        it("makes another version of the same content for another run", async () => {
            const life = version();
            await life.up({ ...inputs, runId: "run-1" });
            const old = String(life.state?.id);
            assert.match((await life.preview({ ...inputs, runId: "run-2" })).join(), /serial 5 will become current/);
            assert.equal(await life.up({ ...inputs, runId: "run-2" }), "replaced");
            const { id, relationships } = await current();
            assert.deepEqual([life.state?.id, id === old], [id, false]);
            assert.deepEqual((relationships as Props)["run"], { data: { id: "run-2", type: "runs" } });
        });

        it("takes what is current with the same content for any run, or for one that it may well belong to", async () => {
            for (const [first, second] of [
                [{ runId: "run-1" }, { runId: "run-1" }],
                [{ runId: "run-1" }, {}],
                [{}, { runId: "run-1" }],
            ]) {
                await simulator.reset();
                await version().up({ ...inputs, ...first });
                const life = version();
                await life.up({ ...inputs, ...second });
                assert.deepEqual([life.state?.id, (await posts()).length], [(await current())["id"], 1]);
            }
        });

        it("does not fill what was announced for another run", async () => {
            await refuses("PUT", "/v1/object/");
            await assert.rejects(version().up({ ...inputs, runId: "run-1" }), { message: wordsOf(unfilledUnderLock) });
            await simulator.heal();
            const life = version();
            await life.up({ ...inputs, runId: "run-2" });
            const { id, relationships } = await current();
            assert.equal(life.state?.id, id);
            assert.deepEqual((relationships as Props)["run"], { data: { id: "run-2", type: "runs" } });
        });

        it("says that outputs were not sent where no version had to be made", async () => {
            const life = version();
            await life.up(inputs);
            assert.equal(await life.up({ ...inputs, jsonStateOutputs: '{"a":{"value":1}}' }), "replaced");
            assert.match(life.warnings.join(), wordsOf(outputsUnsent));
            assert.equal((await posts()).length, 1);
        });

        it("stores options and sends nothing", async () => {
            const life = version();
            await life.up(inputs);
            await simulator.forget();
            for (const options of [{ lock: false }, { inline: true }, { waitForProcessing: 60 }]) {
                assert.equal(await life.up({ ...inputs, ...options }), "updated");
            }
            assert.deepEqual(await simulator.writes(), []);
        });

        it("never takes a 404 for gone", async () => {
            const life = version();
            await life.up(inputs);
            await refuses("GET", "state-versions/sv-", 404);
            assert.deepEqual(await life.refresh(), []);
            assert.match(
                life.warnings.join(),
                /does not exist any more, its content was retired, or the token may not see it/,
            );
            assert.equal(await life.up(inputs), "same");
        });

        it("is an error where it may not be seen", async () => {
            const life = version();
            await life.up(inputs);
            for (const status of [401, 403, 500]) {
                await refuses("GET", "state-versions/sv-", status, { times: 1 });
                await assert.rejects(life.refresh(), { status });
            }
        });

        it("finds a version by its id alone, its content's digest included", async () => {
            const life = version();
            await life.get("sv-4");
            const { workspaceId, serial, content, lineage: told } = life.outputs();
            assert.deepEqual([workspaceId, serial, told], ["ws-1", 4, lineage]);
            assert.equal(content, sha256(`${JSON.stringify(state(4, { resources: [] }), null, 2)}\n`));
            await assert.rejects(version().get("sv-9"), { code: "absent" });
        });

        it("asks for nothing under what is no id", async () => {
            for (const id of ["a/b c", "", ".."]) await assert.rejects(version().get(id), { code: "id" });
            assert.deepEqual(await simulator.requests(), []);
        });

        it("can be destroyed, which asks the service nothing", async () => {
            const life = version();
            await life.up(inputs);
            await simulator.forget();
            await life.destroy();
            assert.deepEqual(await simulator.requests(), []);
        });

        it("serves scripts too", async () => {
            const client = connect({
                stateVersions: { address: `${simulator.url}/api/v2`, token: canaryToken },
                environment: {},
                warn: () => undefined,
            });
            const { id, outputs } = await client.stateVersion.create({
                workspaceId: "ws-1",
                content: raw(5),
                lock: true,
            });
            assert.equal(outputs.content, sha256(raw(5)));
            assert.equal((await client.stateVersion.read(id))?.serial, 5);
            await assert.rejects(client.stateVersion.create({ workspaceId: "ws-1", content: raw(3), lock: true }), {
                name: "StatecraftError",
                code: "serial",
            });
        });
    });
});
