import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { withSimulator } from "../support/simulator";

const repository = join(__dirname, "..", "..");

/** `npm run test:contract` with this environment and no other setting of ours. */
async function contract(settings: NodeJS.ProcessEnv): Promise<{ code: number | null; said: string }> {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("STATECRAFT_"));
    const child = spawn(process.execPath, [join("scripts", "contract.mjs")], {
        cwd: repository,
        env: { ...Object.fromEntries(own), ...settings },
        stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
            said += text;
        });
    }
    const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
    return { code, said };
}

describe("npm run test:contract", function () {
    const simulator = withSimulator({ licensed: false });
    // Each runs a process of its own, on a machine that may be busy.
    this.timeout(280_000);

    it("tries nothing where no server is named, and says what to name", async () => {
        const { code, said } = await contract({ STATECRAFT_MANAGER_ADDRESS: "http://127.0.0.1:9" });
        assert.equal(code, 1);
        assert.match(said, /^secrets manager: passed over, not set: STATECRAFT_MANAGER_TOKEN$/m);
        assert.match(
            said,
            /^volumes service: passed over, not set: STATECRAFT_VOLUMES_ADDRESS, STATECRAFT_VOLUMES_TOKEN/m,
        );
        assert.match(said, /^state versions: passed over, .*STATECRAFT_CONTRACT_WORKSPACE/m);
        assert.match(said, /^No server is named, so nothing was tried/m);
    });

    it("tries a server, passes over what it asked for in vain, and leaves nothing behind", async () => {
        const { code, said } = await contract({
            STATECRAFT_MANAGER_ADDRESS: simulator.url,
            STATECRAFT_MANAGER_TOKEN: "planted-token-0b7d",
            STATECRAFT_CONTRACT_SEED: "seed1",
            STATECRAFT_STRICT: "true",
        });
        assert.equal(code, 0, said);
        assert(said.startsWith(`secrets manager: ${simulator.url}, vocabulary documented\n`), said);
        assert.match(said, /secrets manager contract \(127\.0\.0\.1:\d+, documented; seed seed1\)/);
        assert.match(said, /passed over: the server has no automated snapshots \(enterprise-only feature\)/);
        assert.match(said, /\b\d+ passing/);
        assert(!said.includes("planted-token"));
        const written = (await simulator.writes()).map(({ path }) => path);
        assert(written.length > 20 && written.every((path) => /\/contract-seed1-/i.test(path)));
        assert.equal(await simulator.outside("LIST", "/v1/auth/clouda/role"), undefined);
    });
});
