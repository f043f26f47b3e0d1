/** Runs `lock` and `unlock` in this process, and by a pseudo-terminal. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { canaryToken } from "../support/canaries";
import { Cut } from "../support/gate";
import { withSimulator } from "../support/simulator";
import { productVariables } from "../support/stack";
import { describeSessions, statecraft } from "./support";

const since = "2026-01-02T03:04:05Z";
const ofRun = `rolling back to sv-1 [statecraft rollback John%20Doe@ci-7 ${since} 0123456789abcdef]`;
const contentType = "application/vnd.api+json";
const freeze = "no runs until Monday [statecraft acme/ops/prod freeze::lock]";

describe("lock and unlock", () => {
    const simulator = withSimulator({
        tokens: [
            { token: canaryToken, kind: "user", id: "user-1" },
            { token: "outside", kind: "user", id: "user-2" },
        ],
        workspaces: [{ id: "ws-1", name: "web", organization: "acme" }],
    });
    afterEach(() => {
        simulator.gate.open();
        simulator.answerWith();
    });

    const workspace = () => simulator.store.stateVersions.workspaces[0] ?? assert.fail();
    const lockedBy = (id: string, reason: string, type: "users" | "runs" = "users") => {
        workspace().lock = { by: { type, id }, reason };
    };
    const run = (line: string, environment: NodeJS.ProcessEnv = {}) =>
        statecraft(line.split(" "), { ...productVariables(simulator), ...environment });
    const sent = async () => (await simulator.writes()).map(({ path }) => path.split("/").at(-1));
    const refuse = (path: string, status: number, problem: object, times = 1) =>
        simulator.fault({
            method: "POST",
            path,
            times,
            status,
            body: JSON.stringify({ errors: [problem] }),
            contentType,
        });
    const named = { id: "user-1", type: "users", attributes: { username: "jane" } };

    describeSessions("lock", simulator, {
        "unlock shows the lock of a rollback, and asks on a terminal only": () => lockedBy("user-1", ofRun),
        "--force releases the lock of another account, which the service refuses first with 409": () =>
            lockedBy("user-2", "theirs"),
        "--force releases the lock of another account, which the service refuses first with 500, as OTF does": () => {
            lockedBy("user-2", "theirs");
            return refuse("/unlock$", 500, { detail: "workspace locked by different user" }, 2);
        },
        "--force without the right says whose token has it": () => {
            lockedBy("user-2", "theirs");
            return refuse("/force-unlock$", 404, { title: "not found" });
        },
        "--force sends no force-unlock for a lock of this account, or after another refusal": () => {
            lockedBy("user-1", "mine");
            return refuse("/unlock$", 403, {});
        },
        "the lock of a run stays, and the message names its page": () => lockedBy("run-7", "", "runs"),
        "the freeze of a WorkspaceLock needs --force where nobody is asked": () => lockedBy("user-1", freeze),
        "unlock shows the name of the account where the service includes it": () => {
            lockedBy("user-1", "mine");
            const body = JSON.stringify({ data: {}, included: [named] });
            // The first read by the id asks for the account.
            return simulator.fault({ path: "/workspaces/ws-1$", status: 200, body, contentType });
        },
    });

    it("a lock that changes after it was shown stays with --yes", async () => {
        for (const change of [() => lockedBy("user-1", "new"), () => lockedBy("user-2", "mine")]) {
            lockedBy("user-1", "mine");
            let reads = 0;
            simulator.gate.set(({ moment, request }) => {
                // The first read, and that of the holder's name.
                if (moment === "before" && request.method === "GET" && ++reads === 3) change();
            });
            const { code, complaints } = await run("unlock acme/web --yes");
            assert.deepEqual([code, workspace().lock === null], [1, false]);
            assert.match(complaints, /another lock has taken its place.*\[locked\]/);
            assert.deepEqual(await sent(), []);
        }
    });

    it("a lock that changes before the answer is shown again, with another question", async () => {
        lockedBy("user-1", "mine");
        const command = [process.execPath, "dist/command/main.js", "unlock", "acme/web"].join(" ");
        const env = { PATH: process.env["PATH"], ...productVariables(simulator) };
        const child = spawn("script", ["-qefc", command, "/dev/null"], { env, stdio: ["pipe", "pipe", "inherit"] });
        let text = "";
        let questions = 0;
        child.stdout.on("data", (data) => {
            text += data;
            for (; text.split("Type yes").length - 1 > questions; ) {
                if (++questions === 1) lockedBy("user-1", freeze);
                child.stdin.write("yes\n");
            }
        });
        const [code] = await once(child, "close");
        assert.deepEqual([code, questions, workspace().lock], [0, 2, null], text);
        assert.match(text, /\("mine"\).*\("no runs until Monday .*acme\/web is unlocked\./s);
        assert.deepEqual(await sent(), ["unlock"]);
    });

    for (const moment of ["before", "after"] as const) {
        it(`a lost answer ${moment} the effect of each request is no second action`, async () => {
            for (const [line, isLocked] of [
                ["lock acme/web", false],
                ["unlock acme/web --yes", true],
            ] as const) {
                for (let index = 0; index < 4; index++) {
                    if (isLocked) lockedBy("user-1", "mine");
                    else workspace().lock = null;
                    simulator.gate.set((stop) => {
                        if (stop.moment === moment && stop.index === index) throw new Cut();
                    });
                    const first = await run(line, { STATECRAFT_TERRAFORM_MAX_RETRIES: "1" });
                    simulator.gate.open();
                    const { code, complaints } = await run(line);
                    assert.equal(code, 0, `${line}, request ${index}: ${first.complaints} ${complaints}`);
                    assert.equal(workspace().lock !== null, !isLocked);
                }
            }
        });
    }
});
