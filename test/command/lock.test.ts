/** Runs `lock` and `unlock` in this process, and by a pseudo-terminal. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { canaryToken } from "../support/canaries";
import { Cut } from "../support/gate";
import { withSimulator } from "../support/simulator";
import { productVariables } from "../support/stack";
import { statecraft } from "./support";

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

    it("lock takes the lock, once for one reason; unlock releases it, and the second time finds none", async () => {
        const { code, out } = await run("lock acme/web --reason migration");
        assert.equal(code, 0);
        const reason = workspace().lock?.reason ?? "";
        assert.match(reason, /^migration \[statecraft lock [^\s@]+@[^\s@]+ \S+Z [0-9a-f]{16}\]$/);
        assert.match(
            out,
            /^acme\/web is locked by user user-1 since \S+Z \("migration \[.*\n.*: npx pulumi-statecraft unlock acme\/web$/,
        );
        assert.equal((await run("lock ws-1 --reason migration")).code, 0);
        for (const other of ["lock acme/web --reason other", "lock acme/web"]) {
            const refused = await run(other);
            assert.equal(refused.code, 1);
            assert.match(refused.complaints, /by user user-1 since \S+Z \("migration .*unlock acme\/web`.*\[locked\]/);
            assert.doesNotMatch(refused.complaints, /under-lock|lock: false|adopt/);
        }
        assert.equal((await run("lock acme/web --reason migration", { TFE_TOKEN: "outside" })).code, 1);
        assert.equal(workspace().lock?.reason, reason);
        assert.deepEqual([(await run("unlock acme/web --yes")).code, workspace().lock], [0, null]);
        const again = await run("unlock acme/web");
        assert.deepEqual([again.code, again.out], [0, "acme/web is not locked."]);
        assert.deepEqual(await sent(), ["lock", "unlock"]);
    });

    it("--json prints workspace, holder, reason, time and result", async () => {
        const taken = JSON.parse((await run("lock acme/web --reason x --json")).out);
        assert.deepEqual(
            { ...taken, since: typeof taken.since },
            {
                ...{ workspace: "acme/web", holder: "user-1", reason: "x", since: "string" },
                unlock: "npx pulumi-statecraft unlock acme/web",
            },
        );
        lockedBy("user-1", ofRun);
        const { out, complaints } = await run("unlock ws-1 --yes --json");
        assert.deepEqual(JSON.parse(out), {
            ...{ workspace: "ws-1", holder: "user-1", reason: "rolling back to sv-1", since, released: true },
        });
        assert.match(complaints, /^ws-1 is locked by user user-1 since 2026-01-02T03:04:05Z \("rolling/);
        assert.deepEqual(JSON.parse((await run("unlock ws-1 --json")).out), { workspace: "ws-1", released: false });
    });

    it("unlock asks on a terminal only", async () => {
        lockedBy("user-1", ofRun);
        const { code, out, complaints } = await run("unlock acme/web");
        assert.equal(code, 2);
        assert.match(out, /John%20Doe@ci-7/);
        assert.match(complaints, /--yes/);
        assert.deepEqual(await sent(), []);
    });

    for (const [what, answer] of [
        ["with 409", undefined],
        [
            "with 500, as OTF does",
            { status: 500, body: '{"errors":[{"detail":"workspace locked by different user"}]}' },
        ],
    ] as const) {
        it(`--force releases the lock of another account, which the service refuses first ${what}`, async () => {
            lockedBy("user-2", "theirs");
            if (answer) await simulator.fault({ method: "POST", path: "/unlock$", times: 2, ...answer, contentType });
            const refused = await run("unlock acme/web --yes");
            assert.equal(refused.code, 1);
            assert.match(refused.complaints, /user user-2 \("theirs"\).*unlock acme\/web --force`.*\[lock-kept\]/);
            assert.equal(workspace().lock?.reason, "theirs");
            assert.deepEqual([(await run("unlock acme/web --yes --force")).code, workspace().lock], [0, null]);
            assert.deepEqual(await sent(), ["unlock", "unlock", "force-unlock"]);
        });
    }

    it("--force without the right says whose token has it", async () => {
        lockedBy("user-2", "theirs");
        const body = '{"errors":[{"title":"not found"}]}';
        await simulator.fault({ method: "POST", path: "/force-unlock$", status: 404, body, contentType });
        const { code, complaints } = await run("unlock acme/web --yes --force");
        assert.equal(code, 1);
        assert.match(complaints, /administrator of the workspace\. \[absent\]/);
        assert.equal(workspace().lock?.reason, "theirs");
    });

    it("--force sends no `force-unlock` for a lock of this account, or after another refusal", async () => {
        lockedBy("user-1", "mine");
        await simulator.fault({ method: "POST", path: "/unlock$", status: 403, body: "{}" });
        assert.equal((await run("unlock acme/web --yes --force")).code, 1);
        assert.equal((await run("unlock acme/web --yes --force")).code, 0);
        assert.deepEqual(await sent(), ["unlock", "unlock"]);
    });

    it("the lock of a run stays, and the message names its page", async () => {
        lockedBy("run-7", "", "runs");
        for (const flags of ["", " --force", " --yes --force"]) {
            const { code, complaints } = await run(`unlock acme/web${flags}`);
            assert.equal(code, 1);
            assert.match(complaints, /locked by run run-7\. .*\/app\/acme\/web\/runs\/run-7\. \[locked\]/);
        }
        assert.deepEqual(await sent(), []);
    });

    it("the freeze of a WorkspaceLock needs --force where nobody is asked", async () => {
        lockedBy("user-1", freeze);
        const refused = await run("unlock acme/web --yes");
        assert.equal(refused.code, 1);
        assert.match(refused.complaints, /WorkspaceLock freeze of acme\/ops\/prod.*`--force`\. \[locked\]/);
        assert.deepEqual(await sent(), []);
        assert.deepEqual([(await run("unlock acme/web --yes --force")).code, workspace().lock], [0, null]);
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

    it("unlock shows the name of the account where the service includes it", async () => {
        lockedBy("user-1", "mine");
        const body = '{"data":{},"included":[{"id":"user-1","type":"users","attributes":{"username":"jane"}}]}';
        // The first read by the id asks for the account.
        await simulator.fault({ path: "/workspaces/ws-1$", status: 200, body, contentType });
        const { out, complaints } = await run("unlock acme/web --yes --json");
        assert.equal(JSON.parse(out).holder, "jane");
        assert.match(complaints, /, that is jane\./);
    });
});
