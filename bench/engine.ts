/** Runs Pulumi commands on the programs of the contenders, and measures each command. */

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import ts from "typescript";
import { version } from "../src/version";
import { type Contender, type ContenderName, contenders, roles, titles } from "./contenders";
import { type Cost, costOf } from "./cost-of-command";
import { median, table } from "./figures";
import { type Stub, startStub } from "./stub-server";

const repository = resolve(__dirname, "..");

/** The commands in the order in which they run. */
export const commands = ["up", "preview", "refresh", "destroy"] as const;
export type Command = (typeof commands)[number];

/** The medians of all runs of one command of one contender. */
export interface Cell extends Cost {
    readonly contender: ContenderName;
    readonly size: number;
    readonly command: Command;
    readonly runs: number;
    /** Number of requests to the server. */
    readonly requests: number;
    /** Bytes of state for each resource after `up`. */
    readonly stateBytes: number;
}

/** Measures all contenders. In each round all of them run a command before any runs the next one. */
export async function measureCells(size: number, runs: number): Promise<Cell[]> {
    const root = mkdtempSync(join(tmpdir(), "statecraft-bench-"));
    const stacks: Stack[] = [];
    try {
        for (const [name, contender] of Object.entries(contenders())) {
            stacks.push(await Stack.make(join(root, name), name as ContenderName, contender, size));
        }
        for (let round = 0; round < runs; round++) {
            for (const command of commands) {
                for (const stack of stacks) await stack.run(command);
            }
        }
        return stacks.flatMap((stack) => stack.cells());
    } finally {
        for (const stack of stacks) stack.stub.close();
        rmSync(root, { recursive: true, force: true });
    }
}

/** The rows for one number of roles. In brackets are the ratios to the empty plugin. */
export function cellTable(cells: readonly Cell[]): string {
    const names = [...new Set(cells.map(({ contender }) => contender))];
    const row = (command: Command, what: string, show: (cell: Cell, floor: Cell) => string) => {
        const some = cells.filter((cell) => cell.command === command);
        const [floor] = some.filter(({ contender }) => contender === "floor");
        return [what, ...some.map((cell) => (floor === undefined ? "" : show(cell, floor)))];
    };
    const [{ size, runs } = { size: 0, runs: 0 }] = cells;
    return [
        `N = ${size}, medians of ${runs} runs, Node ${process.versions.node}.`,
        table(
            ["", ...names.map((name) => titles[name])],
            [
                ...commands.flatMap((command) => [
                    row(command, `CPU of \`${command}\``, ({ cpu }, floor) => {
                        return `${cpu.toFixed(1)} s (${(cpu / floor.cpu).toFixed(2)})`;
                    }),
                    row(command, "until it ends", ({ wall }, floor) => {
                        return `${wall.toFixed(2)} s (${(wall / floor.wall).toFixed(2)})`;
                    }),
                    row(command, "requests", ({ requests }) => String(requests)),
                ]),
                row("up", "memory of `up` at most", ({ memory }) => `${memory} MiB`),
                row("up", "state of one role", ({ stateBytes }) => `${stateBytes} bytes`),
            ],
        ),
    ].join("\n\n");
}

type Run = Cost & Pick<Cell, "requests" | "stateBytes">;

/** The project of a contender, with a backend and a Pulumi home of its own. */
class Stack {
    private readonly runs: Record<Command, Run[]> = { up: [], preview: [], refresh: [], destroy: [] };

    private constructor(
        private readonly folder: string,
        private readonly contender: ContenderName,
        private readonly size: number,
        readonly stub: Stub,
        private readonly env: NodeJS.ProcessEnv,
    ) {}

    static async make(
        folder: string,
        name: ContenderName,
        { program, config }: Contender,
        size: number,
    ): Promise<Stack> {
        const { environmentFor, findPulumi } = await import("../scripts/pulumi-cli.mjs");
        const { run } = await import("../scripts/processes.mjs");
        const stub = await startStub();
        const bin = join(folder, "bin");
        mkdirSync(bin, { recursive: true });
        symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"), "dir");
        const files = {
            "Pulumi.yaml": JSON.stringify({ name: "bench", runtime: "nodejs" }),
            "Pulumi.dev.yaml": JSON.stringify({ config: config(stub.address) }),
            "package.json": JSON.stringify({ name: "bench", private: true }),
            "index.js": `${roles}${program}\n`,
        };
        for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
        writePlugin(join(bin, "pulumi-resource-floor"));
        if (name === "executable") await installExecutable(join(folder, "home"));
        const cli = await findPulumi();
        const env: NodeJS.ProcessEnv = environmentFor([bin, ...cli.folders], folder, process.env, {
            BENCH_SIZE: String(size),
            STATECRAFT_MANAGER_TOKEN: "any",
        });
        const made = await run("pulumi", ["stack", "init", "dev"], { cwd: folder, env });
        if (made.code !== 0) throw new Error(made.stderr);
        return new Stack(folder, name, size, stub, env);
    }

    async run(command: Command): Promise<void> {
        await this.stub.counted();
        const options = command === "preview" ? [] : ["--yes", "--skip-preview"];
        const flags = "--stack dev --non-interactive --color never --suppress-outputs".split(" ");
        const cost = await costOf("pulumi", [command, ...flags, ...options], { cwd: this.folder, env: this.env });
        const requests = await this.stub.counted();
        this.runs[command].push({ ...cost, requests, stateBytes: this.stateBytes() });
    }

    /** Bytes of state per resource, as the file backend writes it. */
    private stateBytes(): number {
        const file = join(this.folder, "backend", ".pulumi", "stacks", "bench", "dev.json");
        const { checkpoint }: { checkpoint: { latest?: { resources?: readonly { type: string }[] } } } = JSON.parse(
            readFileSync(file, "utf8"),
        );
        const own = (checkpoint.latest?.resources ?? []).filter(({ type }) => !/^pulumi:/.test(type));
        return own.length === 0 ? 0 : Math.round(Buffer.byteLength(JSON.stringify(own)) / own.length);
    }

    cells(): Cell[] {
        return commands.map((command) => {
            const runs = this.runs[command];
            const of = (figure: keyof Run, digits = 0) =>
                Number(median(runs.map((run) => run[figure])).toFixed(digits));
            return {
                contender: this.contender,
                size: this.size,
                command,
                runs: runs.length,
                wall: of("wall", 2),
                cpu: of("cpu", 2),
                memory: of("memory"),
                requests: of("requests"),
                stateBytes: Math.max(...this.runs.up.map(({ stateBytes }) => stateBytes)),
            };
        });
    }
}

/** Installs the plugin's executable into Pulumi's home, as `pulumi plugin install` does. */
async function installExecutable(home: string): Promise<void> {
    const { makeExecutable } = await import("../scripts/plugin.mjs");
    const folder = join(home, "plugins", `resource-statecraft-v${version}`);
    mkdirSync(folder, { recursive: true });
    await makeExecutable(folder);
}

/** The empty plugin, transpiled in advance: no compiler runs when the engine starts it. */
function writePlugin(file: string): void {
    const source = readFileSync(join(__dirname, "floor-plugin.ts"), "utf8");
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    writeFileSync(file, ts.transpileModule(source, { compilerOptions }).outputText);
    chmodSync(file, 0o755);
}
