/** The stack's state in an object store, and two runners at once: what docs/scale.md says of teams that grow past one machine. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { demonstration } from "../../src/simulator/demonstration";
import { productName } from "../../src/vocabulary";
import { Gate } from "../support/gate";
import { type Workspace, workspace } from "../support/pulumi-cli";
import { Simulator } from "../support/simulator";
import { done, failed, settings, tokens } from "../support/stack";
import { readied } from "./languages/life";

/** Tells its port, and ends with its input. */
const source = `
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()`;

const each = (op: string) => ({ web: op, hourly: op, data: op, undo: op });

/** Runs the test with the backend of a bucket in an object store on this machine. */
async function withStore(python: string, test: (backend: Record<string, string>) => Promise<void>): Promise<void> {
    const store = spawn(python, ["-c", source], { stdio: ["pipe", "pipe", "ignore"] });
    try {
        const [port] = (await once(store.stdout.setEncoding("utf8"), "data")) as [string];
        const address = `127.0.0.1:${port.trim()}`;
        assert.equal((await fetch(`http://${address}/states`, { method: "PUT" })).status, 200);
        const service = productName("cloudb").toUpperCase();
        await test({
            PULUMI_BACKEND_URL: `s3://states?endpoint=${address}&disableSSL=true&s3ForcePathStyle=true&region=north-1`,
            [`${service}_ACCESS_KEY_ID`]: "any",
            [`${service}_SECRET_ACCESS_KEY`]: "any",
        });
    } finally {
        store.kill();
    }
}

/** Starts an `up`, does this while it stands at its first write, and lets it go on. */
function whileUp(stack: Workspace, gate: Gate, act: () => Promise<void>) {
    let acted: Promise<void> | undefined;
    gate.set(({ moment, request: { method } }) => {
        if (moment === "before" && method === "POST") acted ??= act();
        return acted;
    });
    return stack.up().then(async (outcome) => {
        assert(acted, outcome.stdout);
        await acted;
        return outcome;
    });
}

describe("a stack in an object store", () => {
    it("lets one of two runners through, says to the other that the stack is locked, and stays whole", async function () {
        const { python } = await readied(this, ({ pythonWithSdk }) => pythonWithSdk());
        const gate = new Gate();
        const simulator = await Simulator.start(demonstration, undefined, gate.guard);
        try {
            await withStore(python, async (backend) => {
                const stack = await workspace({
                    program: { folder: "examples" },
                    config: settings(simulator),
                    environment: { ...tokens, ...backend },
                });
                try {
                    const first = await whileUp(stack, gate, async () => {
                        assert.match(failed(await stack.up()), /the stack is currently locked by 1 lock/);
                    });
                    assert.deepEqual(done(first), each("create"));
                    const exported = JSON.parse((await stack.pulumi("stack", "export")).stdout);
                    assert.deepEqual(exported.deployment.pending_operations ?? [], []);
                    assert.deepEqual(done(await stack.up("--expect-no-changes")), each("same"));
                    assert.deepEqual(done(await stack.destroy()), each("delete"));
                } finally {
                    stack.dispose();
                }
            });
        } finally {
            await simulator.close();
        }
    });
});
