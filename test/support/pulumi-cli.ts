/**
 * Runs the real `pulumi` in a temporary folder with a project, a backend and a home folder. Outcomes come from the engine's event log.
 * The Automation API would run four more commands for each `up`.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { DiagnosticEvent, EngineEvent } from "@pulumi/pulumi/automation";
import { keyService, secretsProvider } from "./key-service";
import { removeFolder, temporaryFolder } from "./temporary-folder";

const repository = resolve(__dirname, "..", "..");

/** A program: a folder to copy, files by name, the content of a YAML program, or the text of a JavaScript or TypeScript program. */
export type Program =
    | { readonly folder: string }
    | { readonly files: Readonly<Record<string, string>>; readonly runtime: object }
    | { readonly yaml: object }
    | { readonly source: string; readonly language?: "javascript" | "typescript" };

export interface WorkspaceOptions {
    readonly program: Program;
    /** Stack configuration without secrets. */
    readonly config?: Readonly<Record<string, unknown>>;
    /** Runs Pulumi as on a user's machine, without the faster loading of `light-sdk.cjs` and the secrets provider of `key-service.ts`. */
    readonly asUsersRun?: boolean;
    /** Environment variables of every command. */
    readonly environment?: Readonly<Record<string, string>>;
    /** The time-out of a command, in milliseconds. */
    readonly limit?: number;
}

/** A step of the engine, performed or previewed. */
export interface Step {
    /** `create`, `update`, `same`, `delete`, `replace`, `create-replacement`, `delete-replaced`, `read`, `import`. */
    readonly op: string;
    /** The resource's name in the program. */
    readonly name: string;
    /** The kind of each difference in the provider's detailed diff, by property path. */
    readonly details: Readonly<Record<string, string>>;
}

/** A message of the engine. `urn` is empty for a message without a resource. */
export type Diagnostic = Required<Pick<DiagnosticEvent, "severity" | "urn" | "message">>;

/** The result of a command. */
export interface Outcome {
    readonly code: number;
    readonly stdout: string;
    readonly stderr: string;
    /** Steps of the program's resources. */
    readonly steps: readonly Step[];
    /** The number of resources for each operation, the stack included. */
    readonly changes: Readonly<Record<string, number>>;
    readonly diagnostics: readonly Diagnostic[];
}

/** A resource in the stack's state. */
export interface StoredResource {
    readonly urn: string;
    readonly type: string;
    readonly id?: string;
    /** Whether the program only reads the object. */
    readonly external?: boolean;
    readonly inputs?: Readonly<Record<string, unknown>>;
    readonly outputs?: Readonly<Record<string, unknown>>;
    readonly initErrors?: readonly string[];
    /** `project:///index.ts#<line>,<column>` */
    readonly sourcePosition?: string;
}

/** Whether a stored value is encrypted. */
export const isSecret = (stored: unknown): boolean =>
    typeof stored === "object" && stored !== null && "ciphertext" in stored;

/** A stack's state. */
export interface Deployment {
    readonly resources?: readonly StoredResource[];
    /** Operations that a stopped engine did not finish. */
    readonly pending_operations?: readonly { readonly type: string; readonly resource: StoredResource }[];
}

/** Whether a resource is the stack or a provider, which every program has. */
const isPlumbing = ({ type }: { readonly type: string }) => /^pulumi:(pulumi:Stack|providers:)/.test(type);

function readEvents(file: string): Pick<Outcome, "steps" | "changes" | "diagnostics"> {
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
    const events = lines.map((line) => JSON.parse(line) as EngineEvent);
    const steps = new Map<string, Step>();
    const diagnostics: Diagnostic[] = [];
    let changes: Record<string, number> = {};
    for (const { resOutputsEvent, resourcePreEvent, summaryEvent, diagnosticEvent } of events) {
        // A refresh announces `refresh`, and its second event has the result. A failed step has only the first event.
        const metadata = (resOutputsEvent ?? resourcePreEvent)?.metadata;
        if (metadata && metadata.op !== "refresh" && !isPlumbing(metadata)) {
            const { op, urn, detailedDiff } = metadata;
            const details = Object.entries(detailedDiff ?? {}).map(([path, { diffKind }]) => [path, diffKind]);
            steps.set(`${op} ${urn}`, { op, name: urn.split("::").at(-1) ?? "", details: Object.fromEntries(details) });
        }
        changes = summaryEvent?.resourceChanges ?? changes;
        if (diagnosticEvent && !diagnosticEvent.ephemeral && /^(info|warning|error)/.test(diagnosticEvent.severity)) {
            const { severity, urn = "", message } = diagnosticEvent;
            diagnostics.push({ severity, urn, message: message.replace(/<\{%[^%]*%\}>/g, "").trim() });
        }
    }
    return { steps: [...steps.values()], changes, diagnostics };
}

// CommonJS can import ES modules only at run time.
const scripts = () => import("../../scripts/pulumi-cli.mjs");
const processes = () => import("../../scripts/processes.mjs");

let folders: Promise<readonly string[]> | undefined;

/** Finds the folders of the Pulumi CLI, which come first on PATH. `scripts/test.mjs` installs the CLI; tests do not. */
async function findFolders(): Promise<readonly string[]> {
    const known = process.env.STATECRAFT_PULUMI_PATH;
    if (known) return known.split(delimiter);
    const found = await (await scripts()).installedPulumi();
    if (!found) throw new Error("There is no Pulumi CLI here yet: `npm test` or `npm start` gets it.");
    return found.folders;
}

/** Returns the environment of a command that writes only below `root`. */
export async function environmentOf(
    root: string,
    { asUsersRun, environment }: Pick<WorkspaceOptions, "asUsersRun" | "environment"> = {},
): Promise<Record<string, string>> {
    const { environmentFor } = await scripts();
    folders ??= findFolders();
    const all = environmentFor(await folders, root, process.env, {
        ...(!asUsersRun && { NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, "light-sdk.cjs"))}` }),
        // Commands that end within seconds need no garbage collection.
        GOGC: "off",
        // Node processes would read these certificates for seconds at each start, and tests need no public certificates.
        NODE_EXTRA_CA_CERTS: undefined,
        // `npm test` checks the types of every program.
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
        ...environment,
    });
    return Object.fromEntries(
        Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
}

/** Links the packages of a program: only a few, because the language host reads all installed packages in each command. */
function linkPackages(folder: string, asUsersRun = false): void {
    const packages = join(folder, "node_modules");
    if (asUsersRun) {
        symlinkSync(join(repository, "node_modules"), packages, "dir");
        return;
    }
    const links = {
        "@pulumi/pulumi": "node_modules/@pulumi/pulumi",
        "pulumi-statecraft/dist": "dist",
        ".bin/pulumi-statecraft": "dist/command/main.js",
        ".bin/pulumi-resource-statecraft": "dist/plugin/main.js",
        "pulumi-statecraft/package.json": "package.json",
    };
    for (const [link, to] of Object.entries(links)) {
        mkdirSync(dirname(join(packages, link)), { recursive: true });
        symlinkSync(join(repository, to), join(packages, link));
    }
}

/** The result of `pulumi stack init`, which each test process runs once and copies for each stack. */
let fresh: { readonly backend: string; readonly encryptedkey: string } | undefined;

const stackName = "dev";

/** A project with one stack. `dispose()` removes it. */
export class Workspace {
    readonly project = "test";
    readonly stack = stackName;
    /** The folder of Pulumi.yaml and the program. */
    readonly folder: string;
    /** The process of the last command. */
    pid: number | undefined;
    private runs = 0;

    private constructor(
        readonly root: string,
        /** The environment of the next command. */
        readonly environment: Record<string, string>,
        private readonly limit: number,
    ) {
        this.folder = join(root, "program");
    }

    /** Creates the folder, the program and the stack. */
    static async make(options: WorkspaceOptions): Promise<Workspace> {
        const root = temporaryFolder();
        try {
            const environment = await environmentOf(root, {
                ...options,
                // The option --event-log requires PULUMI_DEBUG_COMMANDS.
                environment: {
                    PULUMI_DEBUG_COMMANDS: "true",
                    PULUMI_STACK: stackName,
                    ...(options.asUsersRun ? {} : await keyService()),
                    ...options.environment,
                },
            });
            const made = new Workspace(root, environment, options.limit ?? 120_000);
            made.prepare(options);
            await made.init(options);
            return made;
        } catch (error) {
            removeFolder(root);
            throw error;
        }
    }

    private async init({ program, asUsersRun, config = {} }: WorkspaceOptions): Promise<void> {
        const backend = join(this.root, "backend");
        const settings = join(this.folder, `Pulumi.${this.stack}.yaml`);
        const isElsewhere = "folder" in program;
        if (fresh !== undefined && !asUsersRun && !isElsewhere) {
            const { encryptedkey } = fresh;
            cpSync(fresh.backend, backend, { recursive: true });
            writeFileSync(settings, JSON.stringify({ config, secretsprovider: secretsProvider, encryptedkey }));
            return;
        }
        const provider = asUsersRun ? [] : ["--secrets-provider", secretsProvider];
        const { code, stderr } = await this.pulumi("stack", "init", this.stack, ...provider);
        if (code !== 0) throw new Error(`The stack could not be made: ${stderr}`);
        if (asUsersRun || isElsewhere) return;
        const [, encryptedkey] = /encryptedkey: ([\w+/=]+)/.exec(readFileSync(settings, "utf8")) ?? [];
        if (encryptedkey === undefined) throw new Error(`There is no key in ${settings}.`);
        fresh = { backend: temporaryFolder(), encryptedkey };
        cpSync(backend, fresh.backend, { recursive: true });
    }

    private prepare({ program, config, asUsersRun }: WorkspaceOptions): void {
        mkdirSync(this.folder, { recursive: true });
        const bin = join(this.root, "bin");
        mkdirSync(bin);
        symlinkSync(join(repository, "dist", "plugin", "main.js"), join(bin, "pulumi-resource-statecraft"));
        this.environment.PATH = [bin, this.environment.PATH].join(delimiter);
        if ("folder" in program) {
            const filter = (path: string) => !/node_modules$|Pulumi\.[^/]+\.yaml$/.test(path);
            cpSync(resolve(repository, program.folder), this.folder, { recursive: true, filter });
        } else if ("yaml" in program) {
            this.writeYaml(program.yaml);
        } else if ("files" in program) {
            for (const [name, text] of Object.entries(program.files))
                writeFileSync(join(this.folder, name), text, { mode: 0o755 });
            this.writeYaml({ runtime: program.runtime });
        } else {
            this.write(program.source, program.language);
        }
        const typescript = existsSync(join(this.folder, "index.ts"));
        // Pulumi reads YAML, and JSON is YAML.
        const files = {
            "Pulumi.yaml": JSON.stringify({ name: this.project, runtime: { name: "nodejs", options: { typescript } } }),
            "package.json": JSON.stringify({ name: "a-test-program", private: true }),
            [`Pulumi.${this.stack}.yaml`]: JSON.stringify({ config: config ?? {} }),
        };
        for (const [name, text] of Object.entries(files)) {
            if (!existsSync(join(this.folder, name))) writeFileSync(join(this.folder, name), text);
        }
        linkPackages(this.folder, asUsersRun);
    }

    /** Replaces the program. */
    write(source: string, language: "javascript" | "typescript" = "javascript"): void {
        writeFileSync(join(this.folder, language === "typescript" ? "index.ts" : "index.js"), source);
    }

    /** Replaces a YAML program. `program` has the sections of Pulumi.yaml, such as `resources`. */
    writeYaml(program: object): void {
        // Pulumi reads YAML, and JSON is YAML.
        const text = JSON.stringify({ name: this.project, runtime: "yaml", ...program });
        writeFileSync(join(this.folder, "Pulumi.yaml"), text);
    }

    /** Sets one value of the stack's configuration. A key with dots is a path into an object. */
    async config(key: string, value: string, options: { readonly secret?: boolean } = {}): Promise<void> {
        const set = ["config", "set", "--path", key, options.secret ? "--secret" : "--plaintext", "--", value];
        const outcome = await this.pulumi(...set);
        if (outcome.code !== 0) throw new Error(`pulumi config set ${key}: ${outcome.stderr}`);
    }

    preview(...args: string[]): Promise<Outcome> {
        return this.operation("preview", args);
    }

    up(...args: string[]): Promise<Outcome> {
        return this.operation("up", ["--yes", "--skip-preview", ...args]);
    }

    refresh(...args: string[]): Promise<Outcome> {
        return this.operation("refresh", ["--yes", "--skip-preview", ...args]);
    }

    destroy(...args: string[]): Promise<Outcome> {
        return this.operation("destroy", ["--yes", "--skip-preview", ...args]);
    }

    /** `pulumi import <type> <name> <id>`. */
    import(...args: string[]): Promise<Outcome> {
        return this.operation("import", ["--yes", "--skip-preview", "--protect=false", ...args]);
    }

    private get stateFile(): string {
        return join(this.root, "backend", ".pulumi", "stacks", this.project, `${this.stack}.json`);
    }

    /** Removes the empty file that a killed engine may leave, as docs/when-it-fails.md says for `failed to load checkpoint: EOF`. */
    removeEmptyAttributes(): void {
        const file = `${this.stateFile}.attrs`;
        if (existsSync(file) && statSync(file).size === 0) rmSync(file);
    }

    /** Returns the stack's state. */
    async export({ showSecrets = false } = {}): Promise<Deployment> {
        if (!showSecrets) return JSON.parse(readFileSync(this.stateFile, "utf8")).checkpoint.latest ?? {};
        const { code, stdout, stderr } = await this.pulumi("stack", "export", "--show-secrets");
        if (code !== 0) throw new Error(`pulumi stack export: ${stderr}`);
        return JSON.parse(stdout).deployment;
    }

    /** Returns the resources in state other than the stack and providers. */
    async resources(): Promise<readonly StoredResource[]> {
        const { resources = [] } = await this.export();
        return resources.filter((resource) => !isPlumbing(resource));
    }

    /** Returns the program's exports in state. */
    async outputs(): Promise<Readonly<Record<string, unknown>>> {
        const { resources = [] } = await this.export();
        return resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
    }

    /** Runs a Pulumi command on the stack. */
    async pulumi(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
        const { run } = await processes();
        // Options must precede `--`.
        const end = args.includes("--") ? args.indexOf("--") : args.length;
        const options = ["--non-interactive", "--color", "never"];
        const all = [...args.slice(0, end), ...options, ...args.slice(end)];
        const result = await run("pulumi", all, {
            cwd: this.folder,
            env: this.environment,
            limit: this.limit,
            started: (pid) => {
                this.pid = pid;
            },
        });
        if (result.code === 124) {
            throw new Error(
                `pulumi ${args.join(" ")} took longer than ${this.limit} ms:\n${result.stdout}${result.stderr}`,
            );
        }
        return result;
    }

    private async operation(command: string, args: readonly string[]): Promise<Outcome> {
        this.runs++;
        const log = join(this.root, `events-${this.runs}.jsonl`);
        const result = await this.pulumi(command, "--event-log", log, ...args);
        return { ...result, ...readEvents(log) };
    }

    /** Removes the folder without destroying the stack's objects. */
    dispose(): void {
        removeFolder(this.root);
    }
}

/** Creates a project with one stack for this program. */
export const workspace = Workspace.make;
