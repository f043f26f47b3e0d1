import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, watch } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../src/simulator/seed";
import { newVersion, type StateVersion } from "../../src/simulator/state-versions/records";
import { withJson } from "../support/injector";
import { withSimulator } from "../support/simulator";
import { temporaryFolder } from "../support/temporary-folder";
import { describeSessions, isRecorded, type Run, statecraft } from "./support";

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

    const ageOf = (...hours: readonly number[]) => {
        for (const [index, age] of hours.entries())
            version(`sv-${index + 1}`).createdAt = new Date(Date.now() - age * 3_600_000).toISOString();
    };
    const countNothing = () =>
        change(({ attributes }) => Object.assign(attributes, { resources: undefined, modules: undefined }));
    const unread = { path: "/state-versions$", status: 403, body: '{"errors":[]}' };
    const stateIn = (name: string) =>
        readFileSync(join(__dirname, "..", "fixtures", "states", `${name}.tfstate`), "utf8");
    /** Two versions for `--diff`, and a change to the newer one. */
    const twoStates = (now = (state: string) => state) => {
        version("sv-3").raw = stateIn("before");
        version("sv-4").raw = now(stateIn("now"));
    };
    const sealed = (serial: number) =>
        JSON.stringify({ serial, lineage: "5d1c", encrypted_data: "planted", encryption_version: "v0" });

    describeSessions(
        "history",
        simulator,
        {
            "marks versions, compares each with the next older one that is finalized and processed, and sums up many changes":
                () => {
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
                    const blocks = ["a", "b", "c", "d"].map((name, index) =>
                        block(`aws_vpc.${name}`, [...Array(index + 1).keys()]),
                    );
                    const raw = JSON.stringify(stateOf(5, blocks));
                    versions().push({ ...older, id: "sv-10", createdAt: "2026-01-03T08:00:00Z", raw });
                },
            "shows the ids in the records if nothing is included": () =>
                simulator.answerWith(
                    withJson(/\/state-versions$/, (body: object) => ({ ...body, included: undefined })),
                ),
            "marks the current version if the workspace does not show it": () =>
                simulator.fault({ ...barely, times: 1 }),
            "shows ? for what the records lack, and no changes if no record counts its resources": () => {
                change((record) => {
                    const { status } = record.attributes;
                    Object.assign(record, { attributes: { status, "resources-processed": true }, relationships: {} });
                });
                return simulator.fault(barely);
            },
            "--since compares the oldest version it shows, and --lost takes a number": () => ageOf(9, 8, 4, 2.5),
            "does not compare with a version before one that is not counted and not shown": () => {
                ageOf(9, 8, 4, 2.5);
                version("sv-2").processing = 99;
            },
            "says what is not counted, which is no loss and not without one": () => {
                version("sv-3").processing = 99;
            },
            "needs --count where the server counts nothing": countNothing,
            "--count says which states it cannot count, and goes on": () => {
                countNothing();
                version("sv-1").raw = JSON.stringify({ ...stateOf(1, []), version: 3 });
                version("sv-3").raw = sealed(3);
            },
            "goes on after a workspace that cannot be read, and ends with 1": () => simulator.fault(unread),
            "finds no loss, and ends with 1 because a workspace cannot be read": () => {
                version("sv-2").raw = version("sv-1").raw ?? "";
                return simulator.fault(unread);
            },
            "--lost --json prints the rows with the command, and what was not read": () =>
                simulator.fault({ ...unread, skip: 1 }),
            "--diff shows addresses and names of attributes, but no value": () => twoStates(),
            "--diff compares the counts of the records if a state cannot be downloaded": () => {
                twoStates();
                return simulator.fault({ path: "/v1/object/", status: 403 });
            },
            "--diff compares the counts of the records if a state is of the format 3": () =>
                twoStates((now) => now.replace('"version": 4', '"version": 3')),
            "--diff compares the counts of the records if a state is encrypted": () => twoStates(() => sealed(4)),
            "--diff compares the counts of the records if a state is nested": () =>
                twoStates((now) => now.replace('"old"', `${"[".repeat(9_000)}${"]".repeat(9_000)}`)),
            "--diff names the workspace by its id in the program if the server does not show its names": () => {
                twoStates();
                return simulator.fault(barely);
            },
            "refuses as a rollback does: a version of another workspace, one without content, and a serial": () => {
                versions().push({ ...version("sv-1"), id: "sv-9", workspace: "ws-2" });
                version("sv-1").status = "discarded";
            },
        },
        (session) => assert.doesNotMatch(session, /s3cret|"old"|planted|\/v1\/object\//),
    );

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
        it("asks once more without `include` after 400", async () => {
            await simulator.fault({ path: "/state-versions$", status: 400, body: '{"errors":[{"title":"include"}]}' });
            await shown("acme/web");
            const sent = (await simulator.requests()).filter(({ path }) => path.endsWith("/state-versions"));
            const includes = sent.map(({ query }) => query["include"]);
            assert.deepEqual(includes, ["run,run.created_by,created_by", undefined]);
            const body = '{"errors":[{"title":"page"}]}';
            await simulator.fault({ path: "/state-versions$", status: 400, body, times: 2 });
            assert.equal((await run(["acme/web"])).code, 1);
        });

        for (const status of [404, 429, 503]) {
            it(`leaves runs out, and asks for them once, after ${status}`, async () => {
                await simulator.fault({ path: "/runs$", status, body: '{"errors":[]}', times: 0 });
                assert.doesNotMatch(await shown("acme/web"), /not finished/);
                assert.equal((await simulator.requests()).filter(({ path }) => path.endsWith("/runs")).length, 1);
            });
        }
    });

    describe("of many workspaces", () => {
        it("reads the workspaces of all pages, and shows losses with the command that rolls back", async () => {
            const { workspaces } = simulator.store.stateVersions;
            const [first = assert.fail()] = workspaces;
            for (let index = 0; index < 100; index++)
                workspaces.unshift({ ...first, id: `ws-b${index}`, name: `b${index}`, current: null });
            const { code, out, complaints } = await run(["acme/*", "--lost"]);
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
    });

    describe("--diff", () => {
        it("compares every digit of a number", async () => {
            const of = (id: string) =>
                JSON.stringify(stateOf(4, [block("aws_instance.web", [0], { id: 0 })])).replace('"id":0', `"id":${id}`);
            version("sv-3").raw = of("12345678901234567890");
            version("sv-4").raw = of("12345678901234567891");
            assert.match(await shown("acme/web", "--diff", "sv-3"), /^~ aws_instance\.web\[0\]: id$/m);
            version("sv-4").raw = of("1.2345678901234567890e19");
            assert.doesNotMatch(await shown("acme/web", "--diff", "sv-3"), /^~/m);
        });
    });

    describe("--count", () => {
        const downloads = async () =>
            (await simulator.requests()).filter(({ path }) => path.startsWith("/v1/object/")).length;

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
});
