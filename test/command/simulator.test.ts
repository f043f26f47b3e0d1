/** Tests commands that run with the simulator, and that nothing in them reaches another server. */

import assert from "node:assert/strict";
import { connect } from "../../src/client";
import { withSimulator } from "../support/simulator";
import { statecraft } from "./support";

const variable = "STATECRAFT_SIMULATOR";

/** Runs a program of Node with the simulator. */
const run = (program: string, environment: NodeJS.ProcessEnv = {}, ...args: readonly string[]) => {
    const command = [process.execPath, "--eval", program, "--", ...args];
    return statecraft(["simulator", "--port", "0", "--", ...command], { ...process.env, ...environment });
};

describe("statecraft simulator -- <command>", () => {
    it("runs the command with no other server in its environment, and ends with it and its exit code", async () => {
        const program = `
            const { APP, STATECRAFT_SIMULATOR: url, ...others } = process.env;
            const names = Object.keys(others).filter((name) => /^(VAULT|NOMAD|TF|STATECRAFT)/.test(name)).sort().join();
            const isFree = names !== "NOMAD_ADDR,NOMAD_TOKEN,TFE_ADDRESS,TFE_TOKEN,VAULT_ADDR,VAULT_TOKEN";
            const isOther = [others.NOMAD_ADDR, others.TFE_ADDRESS, others.VAULT_ADDR].some((address) => address !== url);
            if (isFree || isOther || APP !== "kept" || process.argv[1] !== "--help") process.exit(1);
            fetch(url + "/api/v2/workspaces/ws-1", { headers: { authorization: "Bearer any" } })
                .then(({ status }) => process.exit(status === 200 ? 7 : 2));`;
        const ofTools = { VAULT_AGENT_ADDR: "http://a", NOMAD_REGION: "eu", TF_TOKEN_a_example: "t" };
        const environment = { ...ofTools, APP: "kept", STATECRAFT_VAULT_ADDRESS: "http://c" };
        const { code, complaints } = await run(program, environment, "--help");
        assert.equal(code, 7);
        const [address = ""] = /http:\S+/.exec(complaints) ?? [];
        await assert.rejects(fetch(address), /fetch failed/);
    });

    it("ends as a shell does if a signal ends the command, or if it cannot be run", async () => {
        assert.equal((await run("process.kill(process.pid, 'SIGKILL')")).code, 128 + 9);
        assert.equal((await statecraft(["simulator", "--port", "0", "--", "./nothing"])).code, 127);
    });
});

describe("settings that lead to another server, in a command of the simulator", () => {
    const other = withSimulator();
    const allowed = "http://127.0.0.1:8640";
    const environment = { [variable]: allowed, VAULT_ADDR: "", VAULT_TOKEN: "any", TFE_TOKEN: "any" };
    const role = { name: "web", boundLocations: ["north"] };
    const command = async (...args: readonly string[]) => {
        const { code, out, complaints } = await statecraft(args, { ...environment, VAULT_ADDR: other.url });
        throw new Error(`${code} ${out} ${complaints}`);
    };
    const connections = () => ({ dr: { vault: { address: other.url, token: "any" } } });
    const doors: Readonly<Record<string, () => Promise<unknown>>> = {
        "a resource": () => other.resource("AuthRole", { environment }).up(role),
        "a preview": () => other.resource("AuthRole", { environment }).preview(role),
        "a resource of the native plugin": () => other.resource("AuthRole", { environment, isNative: true }).up(role),
        "a script": () => other.connect({ environment }).authRole.create(role),
        "a connection": () => connect({ connections: connections(), environment }).getAuthRoles({ connection: "dr" }),
        doctor: () => command("doctor", "vault"),
        "a check of doctor": () => command("doctor", "--snapshots"),
    };
    for (const [door, attempt] of Object.entries(doors)) {
        it(`are an error of ${door}, before any request`, async () => {
            await assert.rejects(attempt(), ({ message }: Error) =>
                [other.url, allowed].every((url) => message.includes(url)),
            );
            assert.deepEqual(await other.requests(), []);
        });
    }

    it("are an error of a function in a program, and of a script with another environment", async () => {
        const program = (call: string) => `
            // Keeps the environment as it is.
            process.env.STATECRAFT_USER_HOME = "none";
            require("./scripts/ts-node.cjs");
            const vault = { address: process.env.STATECRAFT_VAULT_ADDRESS = "${other.url}", token: "any" };
            ${call}.then(() => process.exit(1), ({ code }) => process.exit(code === "config" ? 9 : 2));`;
        assert.equal((await run(program('require("./src").getAuthRoles()'))).code, 9);
        const script = 'require("./src/client").connect({ vault, environment: {} }).getAuthRoles()';
        assert.equal((await run(program(script))).code, 9);
        assert.deepEqual(await other.requests(), []);
    });
});
