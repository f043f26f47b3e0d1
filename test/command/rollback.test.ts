/** Runs `statecraft rollback`: as a process by a pipe and by a pseudo-terminal, and where a signal ends it, else in this process. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { canaryToken } from "../support/canaries";
import { Cut, type Stop } from "../support/gate";
import { withSimulator } from "../support/simulator";
import { productVariables } from "../support/stack";
import { describeSessions, statecraft } from "./support";

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

    const lockedBy = (id: string, reason: string) => {
        workspace().lock = { by: { type: "users", id }, reason };
    };
    describeSessions(
        "rollback",
        simulator,
        {
            "uploads the older state with --upload, which a server without rollbacks advises, and undoes it in the same way":
                () => simulator.fault({ method: "PATCH", status: 501, body: '{"errors":[{"detail":"planted"}]}' }),
            "--under-lock works under the lock of this account, and leaves it": () =>
                lockedBy("user-1", `migration ${markOf("lock")}`),
            "--under-lock does not work under the lock of another account": () => lockedBy("user-2", ""),
            "shows warnings before the question, and goes on after them with --yes, whatever STATECRAFT_STRICT is":
                () => Object.assign(versions()[0] ?? {}, { intermediate: true }),
            "fails before the question because of a lock by hand": () => lockedBy("user-9", "no runs"),
            "fails before the question because of the lock of another run of this command": () =>
                lockedBy("user-9", `rolling back to sv-1 ${markOf("rollback")}`),
            "fails before the question because of the lock of another command": () =>
                lockedBy("user-9", `no runs ${markOf("lock")}`),
            "fails before the question because of the freeze of a program": () =>
                lockedBy("user-9", "no runs [statecraft acme/ops/prod freeze::lock]"),
        },
        isOfCommand,
    );

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
