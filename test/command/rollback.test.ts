/** Runs `statecraft rollback`: as a process by a pipe and by a pseudo-terminal, and where a signal ends it, else in this process. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { canaryToken } from "../support/canaries";
import { Cut, type Stop } from "../support/gate";
import { withSimulator } from "../support/simulator";
import { productVariables } from "../support/stack";
import { statecraft } from "./support";

const main = ["dist/command/main.js", "rollback"];
const state = (serial: number, names: readonly string[]) => ({
    ...{ version: 4, terraform_version: "1.9.0", serial, lineage: "5d1c", outputs: {} },
    resources: names.map((name) => ({
        ...{ mode: "managed", type: "aws_vpc", name, provider: "p" },
        // Not every resource has an id.
        instances: [{ attributes: name === "c" ? {} : { id: name === "renamed" ? "b" : name } }],
    })),
});
/** The end of the reason of a lock that a command has taken: nothing but the time is read from it. */
const mark = /\[statecraft rollback [^\s[\]@]+@[^\s[\]@]+ \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [0-9a-f]{16}\]$/;
const markOf = (command: string) => `[statecraft ${command} John%20Doe@ci-7 2026-01-02T03:04:05Z 0123456789abcdef]`;

describe("statecraft rollback", () => {
    const simulator = withSimulator({
        tokens: [
            { token: canaryToken, kind: "user", id: "user-1" },
            { token: "powerless-token", kind: "user", id: "user-2", access: "read" },
        ],
        workspaces: [
            {
                ...{ id: "ws-1", name: "web", organization: "acme" },
                stateVersions: [
                    { id: "sv-1", createdAt: "2026-01-01T08:00:00Z", state: state(1, ["a", "b"]) },
                    { id: "sv-2", createdAt: "2026-01-01T09:00:00Z", state: state(2, ["b", "c"]) },
                ],
            },
            {
                ...{ id: "ws-2", name: "moved", organization: "acme" },
                stateVersions: [
                    { id: "sv-8", createdAt: "2026-01-01T08:00:00Z", state: state(1, ["a", "renamed"]) },
                    { id: "sv-9", createdAt: "2026-01-01T09:00:00Z", state: state(2, ["b"]) },
                ],
            },
        ],
    });
    afterEach(() => simulator.gate.open());

    const versions = () => simulator.store.stateVersions.versions.filter(({ workspace }) => workspace === "ws-1");
    const made = () => versions().filter(({ rollbackOf }) => rollbackOf !== null);
    const workspace = () => simulator.store.stateVersions.workspaces.find(({ id }) => id === "ws-1") ?? assert.fail();

    const variables = () => ({ ...productVariables(simulator), STATECRAFT_TERRAFORM_MAX_RETRIES: "1" });
    /** The host of these messages has no program. */
    const isOfCommand = (text: string) =>
        assert.doesNotMatch(text, /pulumi (up|refresh|state)|keepLocked|`lock|StateVersionRollback /);
    const run = async (line: string, environment: NodeJS.ProcessEnv = {}) => {
        const ended = await statecraft(["rollback", ...line.split(" ")], { ...variables(), ...environment });
        isOfCommand(ended.out + ended.complaints);
        return ended;
    };
    /** Starts the command as a process. `stdin` stays a pipe without a terminal. */
    const start = (args: readonly string[], command = process.execPath) => {
        const env = { PATH: process.env["PATH"], ...variables() };
        return spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"] });
    };
    const ended = async (child: ChildProcess) => {
        let text = "";
        for (const stream of [child.stdout, child.stderr]) {
            stream?.on("data", (data) => {
                text += data;
            });
        }
        const [code] = await once(child, "close");
        isOfCommand(text);
        return { code, text };
    };

    it("uploads the older state with --upload, which a server without rollbacks advises, and undoes it in the same way", async () => {
        await simulator.fault({ method: "PATCH", status: 501, body: '{"errors":[{"detail":"planted"}]}' });
        const refused = await run("acme/web sv-1 --yes");
        assert.match(refused.complaints, /does not offer rollbacks: set `--upload`/);
        const { code, out } = await run("acme/web sv-1 --upload --yes");
        assert.equal(code, 0);
        assert.match(out, /: \+ aws_vpc\.a; - aws_vpc\.c\. \[preview\]\n/);
        const [undo = ""] = /acme\/web sv-2 --upload$/m.exec(out) ?? [];
        assert.equal((await run(`${undo} --yes`)).code, 0);
        assert.deepEqual([versions().map(({ serial }) => serial), made()], [[1, 2, 3, 4], []]);
    });

    it("shows what changes, rolls back once, and prints a command that undoes it", async () => {
        const { code, out, complaints } = await run("acme/web sv-1 --yes --wait 1m");
        assert.equal(code, 0, complaints);
        assert.match(out, /^acme\/web: rolling back ws-1 from sv-2 .*\+ aws_vpc\.a; - aws_vpc\.c/m);
        const [id, undo = ""] =
            /^(\S+) has the content of sv-1\.\nTo undo the rollback: npx pulumi-statecraft (.+)$/m
                .exec(out)
                ?.slice(1) ?? [];
        assert.deepEqual([undo, made().map((each) => each.id)], ["rollback acme/web sv-2", [id]]);
        assert.equal(workspace().lock, null);
        const undone = await run(`${undo.replace("rollback ", "")} --yes`);
        assert.deepEqual([undone.code, made().map(({ rollbackOf }) => rollbackOf)], [0, ["sv-1", "sv-2"]]);
    });

    it("--json prints the new version alone", async () => {
        const { out } = await run("ws-1 sv-1 --yes --json --keep-locked");
        const { currentStateVersionId, previousStateVersionId, superseded, undo, unlock } = JSON.parse(out);
        assert.deepEqual(
            [currentStateVersionId, previousStateVersionId, superseded, undo, unlock],
            [
                ...[made()[0]?.id, "sv-2", false],
                ...["npx pulumi-statecraft rollback ws-1 sv-2", "npx pulumi-statecraft unlock ws-1"],
            ],
        );
    });

    it("--keep-locked keeps the lock with its reason, and the printed command releases it", async () => {
        const { out } = await run("acme/web sv-1 --yes --keep-locked --reason runs", variables());
        assert.match(workspace().lock?.reason ?? "", /^runs \[/);
        assert.match(workspace().lock?.reason ?? "", mark);
        const [, unlock = ""] = /^To unlock the workspace: npx pulumi-statecraft (.+)$/m.exec(out) ?? [];
        const { code } = await statecraft([...unlock.split(" "), "--yes"], variables());
        assert.deepEqual([unlock, code, workspace().lock, made().length], ["unlock acme/web", 0, null, 1]);
    });

    it("--only brings a part back, and the printed command undoes it", async () => {
        const refused = await run("acme/web sv-1 --only aws_vpc.a aws_vpc.none --yes");
        assert.match(
            refused.complaints,
            /^statecraft: acme\/web: The rollback .* --only: sv-1 has no aws_vpc\.none.*\[only\]$/m,
        );
        const { code, out, complaints } = await run("acme/web sv-1 --only aws_vpc.b --only aws_vpc.a --yes");
        assert.equal(code, 0, complaints);
        assert.match(out, /\+ aws_vpc\.a; kept: 1 newer/);
        assert.match(out, /^\S+ has aws_vpc\.b, aws_vpc\.a of sv-1\.$/m);
        const [, undo = ""] = /: npx pulumi-statecraft rollback (.+)$/m.exec(out) ?? [];
        assert.deepEqual(
            [(await run(`${undo} --yes`)).code, made().map(({ rollbackOf }) => rollbackOf)],
            [0, ["sv-2"]],
        );
    });

    it("--under-lock works under the lock of this account, and leaves it", async () => {
        const unlocked = await run("acme/web sv-1 --yes --under-lock");
        assert.equal(unlocked.code, 1);
        assert.match(unlocked.complaints, /`--under-lock`.*\[not-locked\]/);
        const lock = { by: { type: "users" as const, id: "user-1" }, reason: `migration ${markOf("lock")}` };
        workspace().lock = lock;
        const { code, complaints } = await run("acme/web sv-1 --yes --under-lock");
        assert.deepEqual([code, complaints, made().length, workspace().lock], [0, "", 1, lock]);
        workspace().lock = { by: { type: "users", id: "user-2" }, reason: "" };
        assert.match((await run("acme/web sv-2 --yes --under-lock")).complaints, /409/);
        assert.equal(made().length, 1);
    });

    it("--except and --distinct, as a refusal prints them, let the rest of a part come back", async () => {
        const part = "acme/moved sv-8 --yes --only aws_vpc.a aws_vpc.renamed";
        const { complaints } = await run(part);
        const offered = [...complaints.matchAll(/`(--(?:except|distinct) [^`]+)`/g)].map(([, flags]) => flags);
        assert.deepEqual(offered, ["--except aws_vpc.renamed", "--distinct aws_vpc.renamed"], complaints);
        assert.deepEqual(await simulator.writes(), []);
        const rest = await run(`${part} ${offered[0]}`);
        assert.equal(rest.code, 0, rest.complaints);
        assert.match(rest.out, /\+ aws_vpc\.a; kept[\s\S]*^\S+ has .* of sv-8 without aws_vpc\.renamed\.$/m);
        const all = await run(`${part} ${offered[1]}`);
        assert.match(all.out, /\+ aws_vpc\.renamed; kept/, all.complaints);
        const wrong = await run(`${part} --except module.m.aws_vpc.a`);
        assert.deepEqual([wrong.code, /except: module\.m\.aws_vpc\.a is not below/.test(wrong.complaints)], [1, true]);
    });

    it("asks on a terminal only, and sends nothing but the preview without a yes", async () => {
        const { code, text } = await ended(start([...main, "acme/web", "sv-1"]));
        assert.equal(code, 2, text);
        assert.match(text, /rolling back ws-1/);
        assert.match(text, /--yes/);
        const command = [process.execPath, ...main, "acme/web", "sv-1"].join(" ");
        for (const [answer, expected] of [
            ["no\n", 1],
            ["\u0004", 1],
            ["\u0003", 130],
            ["yes\n", 0],
        ] as const) {
            assert.deepEqual(await simulator.writes(), [], JSON.stringify(answer));
            const child = start(["-qefc", command, "/dev/null"], "script");
            child.stdout.on("data", (data) => String(data).includes("Type yes") && child.stdin.end(answer));
            const terminal = await ended(child);
            assert.equal(terminal.code, expected, terminal.text);
        }
        assert.equal(made().length, 1);
    }).timeout(60_000);

    it("shows warnings before the question, and goes on after them with --yes, whatever STATECRAFT_STRICT is", async () => {
        const [target] = versions();
        assert(target?.id === "sv-1");
        Object.assign(target, { intermediate: true });
        const { code, text } = await ended(start([...main, "acme/web", "sv-1"]));
        assert.equal(code, 2, text);
        assert.match(text, /sv-1 is intermediate.*\[preview\][\s\S]*--yes/);
        const goneOn = await run("acme/web sv-1 --yes", { STATECRAFT_STRICT: "true" });
        assert.match(goneOn.complaints, /sv-1 is intermediate/);
        assert.deepEqual([goneOn.code, made().length], [0, 1]);
    }).timeout(60_000);

    for (const [what, seed, environment, message] of [
        [
            "a lock by hand",
            "no runs",
            {},
            /by user user-9 \("no runs"\)\..*`npx pulumi-statecraft unlock acme\/web` first, or add `--under-lock`/,
        ],
        [
            "the lock of another run of this command",
            `rolling back to sv-1 ${markOf("rollback")}`,
            {},
            /user-9 since 2026-01-02T03:04:05Z \(.*John%20Doe@ci-7.*add `--under-lock`, or run `[^`]*unlock acme\/web` first/,
        ],
        ["the lock of `lock`", `no runs ${markOf("lock")}`, {}, /add `--under-lock`, or run `[^`]*unlock acme\/web`/],
        [
            "the freeze of a program",
            "no runs [statecraft acme/ops/prod freeze::lock]",
            {},
            /^statecraft: acme\/web: The rollback would fail now: the lock of the WorkspaceLock freeze of acme\/ops\/prod /m,
        ],
        ["a token without the right", undefined, { TFE_TOKEN: "powerless-token" }, /\[denied\]/],
    ] as const) {
        it(`fails before the question because of ${what}`, async () => {
            if (seed) workspace().lock = { by: { type: "users", id: "user-9" }, reason: seed };
            const { code, complaints } = await run("acme/web sv-1", environment);
            assert.equal(code, 1, complaints);
            assert.match(complaints, message);
            assert.deepEqual(await simulator.writes(), []);
        });
    }

    const rollingBack = ({ request }: Stop) => request.method === "PATCH";
    const unlocking = ({ request }: Stop) => request.path.endsWith("/unlock");

    for (const [what, isThere, moment] of [
        ["before the rollback", rollingBack, "before"],
        ["after the rollback, whose answer does not come", rollingBack, "after"],
        ["before the unlock", unlocking, "before"],
    ] as const) {
        it(`converges if it is killed ${what}: no later run takes the lock for its own`, async () => {
            const child = start([...main, "acme/web", "sv-1", "--yes"]);
            const end = once(child, "close");
            simulator.gate.set(async (stop) => {
                if (stop.moment !== moment || !isThere(stop)) return;
                child.kill("SIGKILL");
                await end;
                throw new Cut();
            });
            await end;
            simulator.gate.open();
            const lock = workspace().lock;
            assert.match(lock?.reason ?? "", mark);
            const isDone = made().length === 1;
            const again = await run("acme/web sv-1 --yes");
            assert.deepEqual([again.code, workspace().lock], [isDone ? 0 : 1, lock]);
            if (!isDone) assert.match(again.complaints, /\[locked\]/);
            const { code, complaints } = await run("acme/web sv-1 --yes --under-lock");
            assert.deepEqual([code, complaints, made().length, workspace().lock], [0, "", 1, lock]);
        });
    }

    it("leaves the lock of a run of the same user, host and second alone, which then ends as usual", async () => {
        let second: Awaited<ReturnType<typeof run>> | undefined;
        const clock = Date;
        simulator.gate.set(async ({ moment, request }) => {
            if (moment !== "before" || request.method !== "PATCH") return;
            simulator.gate.open();
            second = await run("acme/web sv-1 --yes");
        });
        // One clock for both runs.
        const now = new Date("2026-01-02T03:04:05Z");
        globalThis.Date = class extends clock {
            constructor() {
                super(now);
            }
        } as DateConstructor;
        const first = await run("acme/web sv-1 --yes").finally(() => {
            globalThis.Date = clock;
        });
        assert.match(second?.complaints ?? "", /2026-01-02T03:04:05Z.*\[locked\]/);
        assert.deepEqual([first.code, made().length, workspace().lock], [0, 1, null]);
    });

    for (const signal of ["SIGINT", "SIGHUP"] as const) {
        it(`releases the lock after ${signal}, and goes on afterwards`, async () => {
            const child = start([...main, "acme/web", "sv-1", "--yes"]);
            simulator.gate.set((stop) => {
                if (stop.moment === "after" && stop.request.path.endsWith("/lock")) child.kill(signal);
            });
            const { code, text } = await ended(child);
            assert.equal(code, 1, text);
            assert.equal(workspace().lock, null);
            await run("acme/web sv-1 --yes");
            assert.deepEqual([made().length, workspace().lock], [1, null]);
        });
    }

    it("converges after the lost answer of each request, and never rolls back twice", async () => {
        await run("acme/web sv-1 --yes");
        const sent = (await simulator.requests()).length;
        for (let index = 0; index < sent; index++) {
            await simulator.reset();
            simulator.gate.set((stop) => {
                if (stop.moment === "after" && stop.index === index) throw new Cut();
            });
            await run("acme/web sv-1 --yes");
            simulator.gate.open();
            const { code, complaints } = await run("acme/web sv-1 --yes");
            assert.equal(code, 0, complaints);
            assert.deepEqual([made().length, workspace().lock], [1, null], `request ${index}`);
        }
    }).timeout(120_000);
});
