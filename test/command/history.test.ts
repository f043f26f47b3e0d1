import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, watch } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../src/simulator/seed";
import { newVersion, type StateVersion } from "../../src/simulator/state-versions/records";
import { deadAddress } from "../http/support";
import { withJson } from "../support/injector";
import { withSimulator } from "../support/simulator";
import { temporaryFolder } from "../support/temporary-folder";
import { isRecorded, type Run, statecraft } from "./support";

const token = "planted-token-5e1c";

type VersionRecord = Record<"attributes" | "relationships", Record<string, unknown>>;

/** Returns a block of a state, such as `module.db.aws_instance.web`, with an instance for each index. */
function block(address: string, indexes: readonly (number | string)[] = [0], attributes: object = {}) {
    const [, module = "", mode = "", type, name] = /^(?:(module\..+)\.)?(data\.)?(\w+)\.(\w+)$/.exec(address) ?? [];
    const instances = indexes.map((index_key) => ({ index_key, attributes }));
    return { mode: mode === "" ? "managed" : "data", type, name, module, provider: "aws", instances };
}
const stateOf = (serial: number, resources: readonly object[], outputs: object = {}) => ({
    ...{ version: 4, terraform_version: "1.9.0", serial, lineage: "5d1c", outputs, resources },
});

const web = block("aws_instance.web", [0, 1, 2, 3]);
/** 41 instances of 12 types in one module. */
const database = Array.from({ length: 12 }, (_, index) =>
    block(`module.db.aws_type${index}.main`, index === 0 ? [...Array(30).keys()] : [0]),
);
const image = block("data.aws_ami.base", [0, 1]);

const seed: Seed = {
    tokens: [
        { token, kind: "user", id: "user-1" },
        { token: "powerless-token", kind: "user", id: "user-2", access: "none" },
        { token: "organization-token", kind: "organization", id: "org-1" },
    ],
    workspaces: [
        {
            ...{ id: "ws-1", name: "web", organization: "acme", autoApply: true },
            locked: { by: { type: "users", id: "user-7" }, reason: "deploy freeze" },
            runs: [
                { id: "run-1", message: `Add the database${" and more".repeat(9)}`, createdBy: "ann" },
                { id: "run-2", message: "Tear down", isDestroy: true, createdBy: "ben" },
                { id: "run-3", message: "Try again", status: "planned" },
            ],
            stateVersions: [
                { id: "sv-1", createdAt: "2026-01-01T08:00:00Z", state: stateOf(1, [block("aws_instance.web")]) },
                {
                    ...{ id: "sv-2", createdAt: "2026-01-01T09:00:00Z", state: stateOf(2, [web, image, ...database]) },
                    ...{ run: "run-1", vcsCommit: { sha: "0123456789abcdef", url: "https://code.example/0123" } },
                },
                { id: "sv-3", createdAt: "2026-01-01T10:00:00Z", state: stateOf(3, [web]), run: "run-2" },
                { id: "sv-4", createdAt: "2026-01-01T11:00:00Z", state: stateOf(4, [web]), createdBy: "carol" },
            ],
        },
        { id: "ws-2", name: "many", organization: "acme" },
    ],
};

/** The cells of each row of the table, then the lines below it. */
const rowsIn = (out: string) =>
    (out.match(/^(\d{4}-|\?).*(\n {4}.*)*/gm) ?? []).map((row) => row.split(/ {2,}|\n */).slice(2));

/** The rows, with a bar between the cells and lines. */
const linesIn = (out: string) => rowsIn(out).map((cells) => cells.join(" | "));
/** The answer of a server that shows only the id of the workspace. */
const barely = { path: "/workspaces/", status: 200, body: '{"data":{"id":"ws-1","type":"workspaces"}}' };

describe("statecraft history", () => {
    const simulator = withSimulator(seed);
    afterEach(() => simulator.answerWith());

    const environment = () => ({ TFE_ADDRESS: simulator.url, TFE_TOKEN: token });
    const run = (args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<Run> =>
        statecraft(["history", ...args], { ...environment(), ...variables });
    const shown = async (...args: readonly string[]): Promise<string> => {
        const { code, out, complaints } = await run(args);
        assert.equal(code, 0, complaints);
        return out;
    };
    const versions = () => simulator.store.stateVersions.versions;
    const version = (id: string) => versions().find((each) => each.id === id) ?? assert.fail(id);
    /** Changes the records in the answers to reads of versions. */
    const change = (edit: (record: VersionRecord) => void): void =>
        simulator.answerWith(
            withJson(/\/state-versions$/, (body: { data: VersionRecord[] }) => {
                for (const record of body.data) edit(record);
                return body;
            }),
        );

    for (const [name, args] of [
        ["history", ["acme/web"]],
        ["history-limit", ["ws-1", "--limit", "2"]],
        ["history-empty", ["ws-2"]],
    ] as const) {
        it(`${args.join(" ")} prints what is recorded in ${name}.txt`, async () => {
            isRecorded(name, await shown(...args));
        });
    }

    it("shows local time, and age: in minutes below two hours", async () => {
        version("sv-4").createdAt = new Date(Date.now() - 119.5 * 60_000).toISOString();
        assert.match(await shown("acme/web"), / {2}119m {2}4 +sv-4 /);
        version("sv-4").createdAt = new Date(Date.now() - 5 * 3_600_000).toISOString();
        const [line = ""] = (await shown("acme/web")).split("\n").filter((each) => each.includes("sv-4"));
        const [time = "", age] = line.split(/ {2,}/);
        const minutes = (Date.parse(version("sv-4").createdAt) - Date.parse(time)) / 60_000;
        assert(minutes >= 0 && minutes < 1, `${time} is local time`);
        assert.equal(age, "5h");
    });

    it("needs 80 columns for ids as long as those of HCP Terraform, a long message and a commit", async () => {
        Object.assign(version("sv-4"), { id: "sv-0123456789abcdef", serial: 12_345, createdBy: "a-long-user-name" });
        const rows = (await shown("acme/web")).split("\n\n")[1] ?? "";
        assert.deepEqual(rows.match(/^.{81,}/gm), null);
        assert.match(rows, /^ {4}commit 01234567, run-1 Add the database/m);
    });

    it("sends one request for the workspace, one for its runs, and one for each page", async () => {
        await shown("acme/web", "--limit", "2");
        const filters = { "filter[organization][name]": "acme", "filter[workspace][name]": "web" };
        const sent = async () =>
            (await simulator.requests()).map(({ method, path, query }) => [`${method} ${path}`, query]);
        const others = [
            ["GET /api/v2/state-versions", { ...filters, include: "run,run.created_by,created_by", "page[size]": "3" }],
            ["GET /api/v2/workspaces/ws-1/runs", { "filter[status_group]": "non_final", "page[size]": "10" }],
        ];
        const include = { include: "current_run" };
        assert.deepEqual(await sent(), [["GET /api/v2/organizations/acme/workspaces/web", include], ...others]);
        await simulator.forget();
        await shown("ws-1", "--limit", "2");
        assert.deepEqual(await sent(), [["GET /api/v2/workspaces/ws-1", include], ...others]);
    });

    it("marks versions, compares each with the next older one that is finalized and processed, and sums up many changes", async () => {
        const older = { ...version("sv-2"), run: null, vcsCommit: { sha: "", url: "" } };
        const add = (id: string, more: Partial<StateVersion>) =>
            versions().push({ ...older, id, createdAt: `2026-01-02T0${id.slice(3)}:00:00Z`, ...more });
        add("sv-5", { rollbackOf: "sv-2" });
        add("sv-6", { status: "pending" });
        add("sv-7", { status: "discarded" });
        add("sv-8", { processing: 99 });
        add("sv-9", { status: "backing_data_soft_deleted" });
        change(({ attributes }) =>
            Object.assign(attributes, attributes["status"] === "pending" && { intermediate: true }),
        );
        const state = stateOf(
            5,
            ["a", "b", "c", "d"].map((name, index) => block(`aws_vpc.${name}`, [...Array(index + 1).keys()])),
        );
        versions().push({ ...older, id: "sv-10", createdAt: "2026-01-03T08:00:00Z", raw: JSON.stringify(state) });
        isRecorded("history-marks", await shown("acme/web"));
    });

    it("shows 250 of 255 versions, also with a rollback and an unprocessed version among them", async () => {
        const blocks = Array.from({ length: 12 }, (_, index) => block(`module.m${index}.aws_instance.web`));
        const [whole = "", most = ""] = [blocks, blocks.slice(4)].map((some) => JSON.stringify(stateOf(1, some)));
        const made = Array.from({ length: 255 }, (_, index) => {
            const createdAt = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
            // Version 202 is a rollback to 199: 200, which is not processed, and 201 lost blocks.
            const raw = index === 199 || index === 200 ? most : whole;
            const fixed = { workspace: "ws-2", createdBy: "ann", md5: "", lineage: null, json: null, createdAt, raw };
            return newVersion({ ...fixed, id: `sv-${index + 1}`, status: "finalized", serial: index + 1 });
        });
        const [rolledBack, unprocessed] = [made[201] ?? assert.fail(), made[199] ?? assert.fail()];
        Object.assign(rolledBack, { rollbackOf: "sv-199", serial: 199 });
        unprocessed.processing = 99;
        versions().push(...made);

        const { code, out, complaints } = await run(["acme/many", "--limit", "250"]);
        assert.equal(code, 0, complaints);
        const ids = rowsIn(out).map(([, id]) => id);
        assert.deepEqual(
            ids,
            Array.from({ length: 250 }, (_, index) => `sv-${255 - index}`),
        );
        assert.deepEqual(linesIn(out).slice(53, 57), [
            "199 | sv-202 | ann | rollback of sv-199 | +1 module.m0.aws_instance.web | +1 module.m1.aws_instance.web | +1 module.m2.aws_instance.web | in all +4",
            "201 | sv-201 | ann | -1 module.m0.aws_instance.web | -1 module.m1.aws_instance.web | -1 module.m2.aws_instance.web | in all -4",
            "200 | sv-200 | ann | not processed yet",
            "199 | sv-199 | ann | same resources",
        ]);
        const sent = (await simulator.requests()).map(({ path, query }) => `${path} ${query["page[number]"] ?? 1}`);
        const pages = [1, 2, 3].map((page) => `/api/v2/state-versions ${page}`);
        assert.deepEqual(sent.slice(1, 4), pages);
        assert.equal(sent.length, 6, "the workspace, pages, the current version, runs");
        assert.equal(complaints.split("\n").length, 2, "progress from the second page on");
    });

    describe("on a server that tells less", () => {
        it("shows the ids in the records if nothing is included", async () => {
            simulator.answerWith(withJson(/\/state-versions$/, (body: object) => ({ ...body, included: undefined })));
            isRecorded("history-ids", await shown("acme/web"));
        });

        it("asks once more without `include` after 400", async () => {
            await simulator.fault({ path: "/state-versions$", status: 400, body: '{"errors":[{"title":"include"}]}' });
            isRecorded("history-ids", await shown("acme/web"));
            const sent = (await simulator.requests()).filter(({ path }) => path.endsWith("/state-versions"));
            const includes = sent.map(({ query }) => query["include"]);
            assert.deepEqual(includes, ["run,run.created_by,created_by", undefined]);
            const body = '{"errors":[{"title":"page"}]}';
            await simulator.fault({ path: "/state-versions$", status: 400, body, times: 2 });
            assert.equal((await run(["acme/web"])).code, 1);
        });

        it("marks the current version if the workspace does not show it", async () => {
            await simulator.fault({ ...barely, times: 1 });
            assert.match(await shown("acme/web"), / sv-4 \(current\) /);
        });

        it("shows `?` for what the records lack, and no changes if no record counts its resources", async () => {
            change((record) => {
                const { status } = record.attributes;
                Object.assign(record, { attributes: { status, "resources-processed": true }, relationships: {} });
            });
            await simulator.fault(barely);
            isRecorded("history-bare", await shown("acme/web"));
        });

        for (const status of [404, 429, 503]) {
            it(`leaves runs out, and asks for them once, after ${status}`, async () => {
                await simulator.fault({ path: "/runs$", status, body: '{"errors":[]}', times: 0 });
                assert.doesNotMatch(await shown("acme/web"), /not finished/);
                assert.equal((await simulator.requests()).filter(({ path }) => path.endsWith("/runs")).length, 1);
            });
        }
    });

    it("`--json` prints one array with the fields of the records", async () => {
        const { code, out } = await run(["acme/web", "--json", "--limit", "2"]);
        assert.equal(code, 0);
        const [current, destroyed] = JSON.parse(out);
        assert.deepEqual([current.id, current.who, current.marks, current.gained], ["sv-4", "carol", ["current"], []]);
        assert.deepEqual([destroyed.serial, destroyed.runId, destroyed.run.isDestroy], [3, "run-2", true]);
        assert.equal(destroyed.lost.length, 12);
        const lost = { module: "module.db", type: "aws_type0", name: "main", provider: "aws", count: 30 };
        assert.deepEqual(destroyed.lost[0], lost);
        assert(!out.includes("/v1/object/"), "signed URLs are not shown");
    });

    describe("of many workspaces", () => {
        const lost = async (...args: readonly string[]) => await run(["acme/*", "--lost", ...args]);
        const ageOf = (id: string, hours: number) =>
            Object.assign(version(id), { createdAt: new Date(Date.now() - hours * 3_600_000).toISOString() });

        it("reads the workspaces of all pages, and shows losses with the command that rolls back", async () => {
            const { workspaces } = simulator.store.stateVersions;
            const [first = assert.fail()] = workspaces;
            for (let index = 0; index < 100; index++)
                workspaces.unshift({ ...first, id: `ws-b${index}`, name: `b${index}`, current: null });
            const { code, out, complaints } = await lost();
            assert.deepEqual([code, complaints], [1, ""]);
            isRecorded("history-lost", out);
            const sent = (await simulator.requests()).map(({ path, query }) => `${path} ${query["page[number]"]}`);
            const pages = [undefined, 2].map((page) => `/api/v2/organizations/acme/workspaces ${page}`);
            assert.deepEqual(
                [sent.slice(0, 2), sent.length],
                [pages, 104],
                "pages, then the versions of each workspace",
            );
        });

        it("names only workspaces that match, and fails if none does", async () => {
            assert.deepEqual(linesIn((await run(["acme/w*b"])).out).length, 4);
            const { code, complaints } = await run(["acme/b.*", "--lost"]);
            assert.deepEqual([code, /\[absent\]$/.test(complaints)], [1, true]);
            assert.equal((await run(["acme/ma*"])).code, 0);
        });

        it("`--since` compares the oldest version it shows, and `--lost` takes a number", async () => {
            for (const [id, hours] of [
                ["sv-1", 9],
                ["sv-2", 8],
                ["sv-3", 3],
                ["sv-4", 1],
            ] as const)
                ageOf(id, hours);
            assert.deepEqual((await run(["acme/web", "--since", "4h"])).out.match(/sv-\d(?= )/g), ["sv-4", "sv-3"]);
            for (const [args, code] of [
                [["--since", "2h"], 0],
                [["--since", "4h"], 1],
                [["41"], 1],
                [["42"], 0],
            ] as const)
                assert.equal((await lost(...args)).code, code, args.join(" "));
        });

        it("does not compare with a version before one that is not counted and not shown", async () => {
            for (const [index, hours] of [9, 8, 3, 1].entries()) ageOf(`sv-${index + 1}`, hours);
            version("sv-2").processing = 99;
            const { code, out } = await lost("--since", "4h");
            assert.deepEqual([code, linesIn(out).map((line) => /^3 \| .* not counted$/.test(line))], [1, [true]]);
        });

        it("says what is not counted, which is no loss and not without one", async () => {
            version("sv-3").processing = 99;
            const { code, out } = await lost();
            assert.deepEqual(
                [code, ...linesIn(out)],
                [
                    1,
                    "4 | sv-4 (current) | carol | acme/web | -41 in module.db (12 types) | npx pulumi-statecraft rollback acme/web sv-2",
                    "3 | sv-3 | ben | acme/web | not processed yet | run-2 DESTROY Tear down | not counted",
                ],
            );
        });

        it("needs `--count` where the server counts nothing", async () => {
            change(({ attributes }) => Object.assign(attributes, { resources: undefined, modules: undefined }));
            const { code, out, complaints } = await lost();
            assert.deepEqual([code, out, /--count.*\[content\]$/.test(complaints)], [1, "", true]);
            assert.match((await lost("--count")).out, /rollback acme\/web sv-2$/m);
        });

        it("goes on after a workspace that cannot be read, and ends with 1", async () => {
            version("sv-2").raw = version("sv-1").raw ?? "";
            assert.equal((await lost()).code, 0);
            for (const args of [[], ["--lost"]]) {
                await simulator.fault({ path: "/state-versions$", status: 403, body: '{"errors":[]}' });
                const { code, out } = await run(["acme/*", ...args]);
                assert.deepEqual([code, out.match(/^acme\/web is not read: .*\[denied\]$/gm)?.length], [1, 1]);
            }
        });

        it("`--json` prints the rows with the command, and what was not read", async () => {
            await simulator.fault({ path: "/state-versions$", status: 403, body: '{"errors":[]}', skip: 1 });
            const [row, unread] = JSON.parse((await lost("--json")).out);
            assert.deepEqual([row.id, row.workspace, row.isCompared, row.lost.length], ["sv-3", "acme/web", true, 12]);
            assert.deepEqual([row.rollback, row.previous], ["npx pulumi-statecraft rollback acme/web sv-2", undefined]);
            assert.deepEqual([unread.workspace, unread.code], ["acme/many", "denied"]);
        });
    });

    describe("--diff", () => {
        const stateIn = (name: string) =>
            readFileSync(join(__dirname, "..", "fixtures", "states", `${name}.tfstate`), "utf8");
        const now = stateIn("now");
        beforeEach(() => {
            version("sv-3").raw = stateIn("before");
            version("sv-4").raw = now;
        });

        for (const args of [["sv-3"], ["sv-3", "sv-4"], ["sv-4", "sv-3"]]) {
            it(`${args.join(" ")} shows addresses and names of attributes, but no value`, async () => {
                const out = await shown("acme/web", "--diff", ...args);
                isRecorded("history-diff", out);
                assert.doesNotMatch(out, /s3cret|old/);
            });
        }

        it("compares the counts of the records if a state cannot be downloaded", async () => {
            await simulator.fault({ path: "/v1/object/", status: 403 });
            const { code, out, complaints } = await run(["acme/web", "--diff", "sv-3"]);
            assert.equal(code, 0);
            assert(out.includes("-1 aws_instance.web2"), out);
            assert.match(complaints, /only the counts .*\[denied\]/);
        });

        for (const [what, raw] of Object.entries({
            "of the format 3": now.replace('"version": 4', '"version": 3'),
            encrypted: JSON.stringify({
                serial: 4,
                lineage: "5d1c",
                encrypted_data: "cGxhbnRlZA==",
                encryption_version: "v0",
            }),
            nested: now.replace('"old"', `${"[".repeat(9_000)}${"]".repeat(9_000)}`),
        })) {
            it(`compares the counts of the records if a state is ${what}`, async () => {
                version("sv-4").raw = raw;
                const { code, out, complaints } = await run(["acme/web", "--diff", "sv-3"]);
                assert.deepEqual([code, /^~/m.test(out)], [0, false], out);
                assert.match(complaints, new RegExp(`only the counts .*${what.replace("of ", "")}.*\\[content\\]$`));
            });
        }

        it("compares every digit of a number", async () => {
            const of = (id: string) =>
                JSON.stringify(stateOf(4, [block("aws_instance.web", [0], { id: 0 })])).replace('"id":0', `"id":${id}`);
            version("sv-3").raw = of("12345678901234567890");
            version("sv-4").raw = of("12345678901234567891");
            assert.match(await shown("acme/web", "--diff", "sv-3"), /^~ aws_instance\.web\[0\]: id$/m);
            version("sv-4").raw = of("1.2345678901234567890e19");
            assert.doesNotMatch(await shown("acme/web", "--diff", "sv-3"), /^~/m);
        });

        it("names the workspace by its id in the program if the server does not show its names", async () => {
            await simulator.fault(barely);
            assert.match(await shown("ws-1", "--diff", "sv-3"), /^ {4}workspaceId: "ws-1",$/m);
        });

        it("of the current version says that it is current, and prints no program", async () => {
            for (const args of [["sv-4"], ["sv-4", "sv-4"]]) {
                const out = await shown("acme/web", "--diff", ...args);
                assert.match(out, /current/);
                assert.doesNotMatch(out, /StateVersionRollback/);
            }
        });

        it("refuses as a rollback does: a version of another workspace, one without content, and a serial", async () => {
            const saved = join(temporaryFolder(), "state.json");
            versions().push({ ...version("sv-1"), id: "sv-9", workspace: "ws-2" });
            for (const [id, code, status] of [
                ["sv-9", "wrong-workspace"],
                ["2", "id"],
                ["77", "id"],
                ["sv-2", "not-finalized", "discarded"],
            ] as const) {
                if (status) version(id).status = status;
                for (const args of [
                    ["history", "acme/web", "--diff", id],
                    ["history", "acme/web", "--diff", "sv-3", id],
                    ["history", "acme/web", "--save", id, saved],
                    ["rollback", "acme/web", id, "--yes"],
                ]) {
                    const { code: exit, complaints } = await statecraft(args, environment());
                    assert.equal(exit, 1, args.join(" "));
                    assert(complaints.endsWith(`[${code}]`), complaints);
                    assert(code !== "id" || complaints.includes(id === "2" ? "sv-2 has it" : "no version has it"));
                }
            }
            assert(!existsSync(saved));
            assert.deepEqual(await simulator.writes(), []);
        });

        it("fails for a version that does not exist", async () => {
            const { code, complaints } = await run(["acme/web", "--diff", "sv-none"]);
            assert.equal(code, 1);
            assert.match(complaints, /sv-none: 404.*\[absent\]/);
        });
    });

    describe("--count", () => {
        const downloads = async () =>
            (await simulator.requests()).filter(({ path }) => path.startsWith("/v1/object/")).length;
        const countNothing = () =>
            change(({ attributes }) => Object.assign(attributes, { resources: undefined, modules: undefined }));

        it("counts the states of the rows as records would, one after the other", async () => {
            const expected = linesIn(await shown("acme/web"));
            assert.equal((await run(["acme/web", "--count"])).complaints, "");
            countNothing();
            assert.equal(await downloads(), 0);
            const { out, complaints } = await run(["acme/web", "--count"]);
            assert.deepEqual([linesIn(out), await downloads()], [expected, 4]);
            assert.match(complaints, /sv-4, 1 of 4\n.*sv-3, 2 of 4\n.*sv-2, 3 of 4\n.*sv-1, 4 of 4$/);
            const [current] = JSON.parse(await shown("acme/web", "--count", "--json", "--limit", "1"));
            assert.deepEqual([current.gained, current.lost, await downloads()], [[], [], 6]);
        });

        it("says which states it cannot count, and goes on", async () => {
            countNothing();
            version("sv-1").raw = JSON.stringify({ ...stateOf(1, []), version: 3 });
            version("sv-3").raw = JSON.stringify({ serial: 3, encrypted_data: token, encryption_version: "v0" });
            const { code, out, complaints } = await run(["acme/web", "--count"]);
            const isCompared = rowsIn(out).map((cells) => /^([+-]\d|same )/.test(cells.at(-1) ?? ""));
            assert.deepEqual([code, isCompared], [0, [true, false, false, false]]);
            assert.deepEqual(complaints.match(/(?<=: )sv-\d is not counted.*\[content\]$/gm)?.length, 2);
        });

        it("downloads at most 30 states", async () => {
            const made = Array.from({ length: 32 }, (_, index) => ({ ...version("sv-1"), id: `sv-2${index}` }));
            versions().push(...made.map((each) => ({ ...each, workspace: "ws-2" })));
            countNothing();
            assert.equal(rowsIn(await shown("acme/many", "--count", "--limit", "32")).length, 32);
            assert.equal(await downloads(), 30);
        });
    });

    describe("--save", () => {
        const folder = temporaryFolder();
        const file = join(folder, "state %{x}.json");
        afterEach(() => rmSync(file, { force: true }));

        it("writes the state to a file of its owner, and shows how to plan with it", async () => {
            // A parser would change digits and blanks.
            version("sv-3").raw = ` ${version("sv-3").raw?.replace(/}$/, ', "x": 12345678901234567890 }')}\n`;
            const out = await shown("acme/web", "--save", "sv-3", file);
            assert.equal(readFileSync(file, "utf8"), version("sv-3").raw);
            assert.equal(statSync(file).mode & 0o777, 0o600);
            isRecorded("history-save", out.replaceAll(folder, "/folder"));
        });

        it("writes over nothing, and to no terminal", async () => {
            symlinkSync(join(folder, "none"), file);
            for (const place of [file, folder, __filename, "/dev/stdout", "/dev/tty", "/dev/null"]) {
                const { code, out, complaints } = await run(["acme/web", "--save", "sv-3", place]);
                assert.deepEqual([code, out], [1, ""], place);
                assert.match(complaints, /(exists already|cannot be written).*\[input\]$/);
            }
            assert.deepEqual(readdirSync(folder), ["state %{x}.json"]);
        });

        it("leaves no file after a failure", async () => {
            for (const [fault, code] of [
                [{ status: 403 }, "denied"],
                [{ status: 200, body: "<p>Log in</p>" }, "content"],
                [{ drop: "after" }, "unreachable"],
            ] as const) {
                await simulator.fault({ path: "/v1/object/", times: 9, ...fault });
                const settings = { STATECRAFT_TERRAFORM_MAX_RETRIES: "0" };
                const { complaints } = await run(["acme/web", "--save", "sv-3", file], settings);
                assert.match(complaints, new RegExp(`\\[${code}\\]$`));
                assert.deepEqual(readdirSync(folder), []);
                await simulator.reset();
            }
        });

        it("leaves no part of a state when a signal ends it", async () => {
            const large = JSON.stringify({ ...JSON.parse(version("sv-3").raw ?? "{}"), x: "x".repeat(20 * 1024 ** 2) });
            version("sv-3").raw = large;
            const ignored = () => undefined;
            process.on("SIGTERM", ignored);
            const watcher = watch(folder);
            const written = once(watcher, "change").then(() => process.emit("SIGTERM"));
            await Promise.all([written, run(["acme/web", "--save", "sv-3", file])]);
            watcher.close();
            process.removeListener("SIGTERM", ignored);
            const names = readdirSync(folder);
            assert(names.length === 0 || statSync(join(folder, names[0] ?? "")).size === large.length, names.join());
        });

        it("says that a state is encrypted", async () => {
            version("sv-3").raw = JSON.stringify({ serial: 3, encrypted_data: "x", encryption_version: "v0" });
            assert.match(await shown("acme/web", "--save", "sv-3", file), /^It is encrypted: only OpenTofu /m);
        });
    });

    for (const [what, args, environment] of [
        ["an unknown workspace", ["acme/none"], {}],
        ["another organization's workspace", ["other/web"], {}],
        ["an unknown id", ["ws-none"], {}],
        ["a token without rights", ["acme/web"], { TFE_TOKEN: "powerless-token" }],
    ] as const) {
        it(`ends with 1 for ${what}, and names tokens that lack the right`, async () => {
            const { code, out, complaints } = await run(args, environment);
            assert.deepEqual([code, out], [1, ""]);
            assert.match(complaints, /the token may not see it.*one of an organization.*\[absent\]/);
            assert.doesNotMatch(complaints, /pulumi/);
        });
    }

    it("ends with 1 if no answer comes", async () => {
        const settings = { TFE_ADDRESS: await deadAddress(), STATECRAFT_TERRAFORM_MAX_RETRIES: "0" };
        assert.equal((await run(["acme/web"], settings)).code, 1);
    });
});
