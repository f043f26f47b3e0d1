/**
 * Runs the real `pulumi` for the end-to-end tests: a project, a backend and a home of its own in a temporary folder, and
 * nothing of the user's. The outcome of a run is what the engine recorded, so that no test needs to read prose.
 */
import {
    cpSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { keyService, secretsProvider } from "./key-service";

const repository = resolve(__dirname, "..", "..");

/** A program: a folder with sources, copied (from the repository's root if relative), files by their names, the source text itself, or what a YAML program holds. */
export type Program =
    | { readonly folder: string }
    | { readonly files: Readonly<Record<string, string>>; readonly runtime: object }
    | { readonly yaml: object }
    | { readonly source: string; readonly language?: "javascript" | "typescript" };

export interface WorkspaceOptions {
    readonly program: Program;
    /** Stack configuration, e.g. `{"statecraft:manager": {address}}`; for secrets use `config()`. */
    readonly config?: Readonly<Record<string, unknown>>;
    /** Nothing is left out to save time, as `light-sdk.cjs` and `key-service.ts` do. */
    readonly asUsersRun?: boolean;
    /** Added to the environment of every command, e.g. the tokens. */
    readonly environment?: Readonly<Record<string, string>>;
    /** Milliseconds that one command may take. */
    readonly limit?: number;
}

/** One thing that the engine did, or in a preview would do, to a resource. */
export interface Step {
    /** `create`, `update`, `same`, `delete`, `replace`, `create-replacement`, `delete-replaced`, `read`, `refresh`, `import`. */
    readonly op: string;
    readonly urn: string;
    readonly type: string;
    /** The resource's name in the program. */
    readonly name: string;
    /** The changed properties, where the provider named them. */
    readonly diffs: readonly string[];
    /** What happens to each property that differs, by its path, where the provider told it. */
    readonly details: Readonly<Record<string, string>>;
    /** Those that made it a replacement. */
    readonly keys: readonly string[];
}

/** A message shown to the user. */
export interface Diagnostic {
    /** `info`, `info#err` (what the program printed to stderr), `warning` or `error`. */
    readonly severity: string;
    /** Empty when it belongs to no resource. */
    readonly urn: string;
    readonly message: string;
}

/** What came of a command. */
export interface Outcome {
    readonly code: number;
    readonly stdout: string;
    readonly stderr: string;
    /** Steps of resources, the stack itself and its provider left out. */
    readonly steps: readonly Step[];
    /** How many resources of each operation the engine counted, the stack itself included. */
    readonly changes: Readonly<Record<string, number>>;
    readonly diagnostics: readonly Diagnostic[];
}

/** A resource as the stack's state holds it. */
export interface StoredResource {
    readonly urn: string;
    readonly type: string;
    readonly id?: string;
    readonly inputs?: Readonly<Record<string, unknown>>;
    readonly outputs?: Readonly<Record<string, unknown>>;
    readonly initErrors?: readonly string[];
    readonly created?: string;
    readonly modified?: string;
    /** `project:///index.ts#<line>,<column>` */
    readonly sourcePosition?: string;
}

/** Whether a stored value is encrypted. */
export const isSecret = (stored: unknown): boolean =>
    typeof stored === "object" && stored !== null && "ciphertext" in stored;

/** A stack's state, as far as tests look. */
export interface Exported {
    readonly deployment: {
        readonly resources?: readonly StoredResource[];
        /** What the engine was doing when it was stopped. */
        readonly pending_operations?: readonly { readonly type: string; readonly resource: StoredResource }[];
    };
}

interface EngineEvent {
    readonly resourcePreEvent?: { readonly metadata: StepMetadata };
    readonly resOutputsEvent?: { readonly metadata: StepMetadata };
    readonly summaryEvent?: { readonly resourceChanges?: Record<string, number> };
    readonly diagnosticEvent?: {
        readonly severity: string;
        readonly urn?: string;
        readonly message: string;
        readonly ephemeral?: boolean;
    };
}

interface StepMetadata {
    readonly op: string;
    readonly urn: string;
    readonly type: string;
    readonly diffs?: readonly string[];
    readonly keys?: readonly string[];
    readonly detailedDiff?: Readonly<Record<string, { readonly diffKind: string }>>;
}

/** Resources that every stack has and no test is about. */
const plumbing = /^pulumi:(pulumi:Stack|providers:)/;

function readEvents(file: string): Pick<Outcome, "steps" | "changes" | "diagnostics"> {
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
    const events = lines.map((line) => JSON.parse(line) as EngineEvent);
    const steps = new Map<string, Step>();
    const diagnostics: Diagnostic[] = [];
    let changes: Record<string, number> = {};
    for (const event of events) {
        // A refresh only announces `refresh`; what it found stands in the second event. A failed step has only the first.
        const metadata = (event.resOutputsEvent ?? event.resourcePreEvent)?.metadata;
        if (metadata && metadata.op !== "refresh" && !plumbing.test(metadata.type)) {
            steps.set(`${metadata.op} ${metadata.urn}`, {
                op: metadata.op,
                urn: metadata.urn,
                type: metadata.type,
                name: metadata.urn.split("::").at(-1) ?? "",
                diffs: metadata.diffs ?? Object.keys(metadata.detailedDiff ?? {}),
                keys: metadata.keys ?? [],
                details: Object.fromEntries(
                    Object.entries(metadata.detailedDiff ?? {}).map(([path, { diffKind }]) => [path, diffKind]),
                ),
            });
        }
        if (event.summaryEvent) changes = event.summaryEvent.resourceChanges ?? {};
        const said = event.diagnosticEvent;
        // Ephemeral ones are progress texts that the next one overwrites; debug ones are the SDK's own.
        if (said && !said.ephemeral && said.severity !== "debug") {
            const message = said.message.replace(/<\{%[^%]*%\}>/g, "").trim();
            diagnostics.push({ severity: said.severity, urn: said.urn ?? "", message });
        }
    }
    return { steps: [...steps.values()], changes, diagnostics };
}

/** What scripts/ knows about the CLI; those are ES modules, which this CommonJS can only import at run time. */
const scripts = () => import("../../scripts/pulumi-cli.mjs");
const processes = () => import("../../scripts/processes.mjs");

/** The folders that must come first on PATH: set by scripts/test.mjs, else looked for once, never installed or built. */
let folders: Promise<readonly string[]> | undefined;
function cliFolders(): Promise<readonly string[]> {
    const told = process.env.STATECRAFT_PULUMI_PATH;
    folders ??= told
        ? Promise.resolve(told.split(delimiter))
        : scripts().then(async ({ findPulumi }) => {
              const found = await findPulumi({ get: false });
              if (!found) throw new Error("There is no Pulumi CLI here yet: `npm test` or `npm start` gets it.");
              return found.folders;
          });
    return folders;
}

/** Halves what a command of the engine computes, at the price of what `light-sdk.cjs` says. */
const lightSdk = { NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, "light-sdk.cjs"))}` };

/** The environment of a command that keeps everything it makes below `root`. */
export async function environmentOf(
    root: string,
    { asUsersRun, environment }: Pick<WorkspaceOptions, "asUsersRun" | "environment"> = {},
): Promise<Record<string, string>> {
    const { environmentFor } = await scripts();
    const all = environmentFor(await cliFolders(), root, process.env, {
        ...(asUsersRun ? {} : lightSdk),
        // Commands that end within seconds need not collect garbage.
        GOGC: "off",
        // Every Node process would read them when it starts, which takes as long again, and none of these asks a server for its certificate.
        NODE_EXTRA_CA_CERTS: undefined,
        // `npm test` checks the types of every program; once more in every run would cost seconds.
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
        ...environment,
    });
    return Object.fromEntries(
        Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
}

const isTypeScript = (program: Program): boolean =>
    "yaml" in program || "files" in program
        ? false
        : "folder" in program
          ? existsSync(join(resolve(repository, program.folder), "index.ts"))
          : program.language === "typescript";

const packageJson = JSON.stringify({ name: "a-test-program", private: true });

/** Gives a program its packages. The language host reads every folder below them at each command: a user's are fewer than the repository's. */
function linkPackages(folder: string, asUsersRun = false): void {
    const packages = join(folder, "node_modules");
    if (asUsersRun) {
        symlinkSync(join(repository, "node_modules"), packages, "dir");
        return;
    }
    const links = {
        "@pulumi/pulumi": "node_modules/@pulumi/pulumi",
        "pulumi-statecraft/dist": "dist",
        ".bin/statecraft": "dist/command/main.js",
        ".bin/pulumi-resource-statecraft": "dist/plugin/main.js",
        "pulumi-statecraft/package.json": "package.json",
    };
    for (const [link, to] of Object.entries(links)) {
        mkdirSync(dirname(join(packages, link)), { recursive: true });
        symlinkSync(join(repository, to), join(packages, link));
    }
}

/** Folders in use; a run that ends in the middle of a test leaves none behind. */
const roots = new Set<string>();
process.on("exit", () => {
    for (const root of roots) remove(root);
});
function remove(root: string): void {
    rmSync(root, { recursive: true, force: true });
    roots.delete(root);
}
function temporaryRoot(): string {
    const root = mkdtempSync(join(tmpdir(), "statecraft-test-"));
    roots.add(root);
    return root;
}

/** What `pulumi stack init` leaves in the backend, and in the stack's configuration: the same every time, so each process runs it once. */
let fresh: { readonly backend: string; readonly encryptedkey: string } | undefined;

const stackName = "dev";

/** A project with one stack, apart from everything else on this machine. Remove it with `dispose()`. */
export class Workspace {
    readonly project = "test";
    readonly stack = stackName;
    /** Where Pulumi.yaml and the program are. */
    readonly folder: string;
    /** The process of the last command. */
    pid: number | undefined;
    private runs = 0;

    private constructor(
        /** Holds all that the commands make. */
        readonly root: string,
        /** Of every command: a test may change it between two. */
        readonly environment: Record<string, string>,
        private readonly limit: number,
    ) {
        this.folder = join(root, "program");
    }

    /** Makes the folder, the program and the stack. */
    static async make(options: WorkspaceOptions): Promise<Workspace> {
        const root = temporaryRoot();
        try {
            const environment = await environmentOf(root, {
                ...options,
                // Without PULUMI_DEBUG_COMMANDS there is no --event-log.
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
            remove(root);
            throw error;
        }
    }

    /** Makes the stack. */
    private async init({ program, asUsersRun, environment = {}, config = {} }: WorkspaceOptions): Promise<void> {
        const backend = join(this.root, "backend");
        const settings = join(this.folder, `Pulumi.${this.stack}.yaml`);
        const isElsewhere = "PULUMI_BACKEND_URL" in environment || "folder" in program;
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
        fresh = { backend: temporaryRoot(), encryptedkey };
        cpSync(backend, fresh.backend, { recursive: true });
    }

    private prepare({ program, config, asUsersRun }: WorkspaceOptions): void {
        mkdirSync(this.folder, { recursive: true });
        const typescript = isTypeScript(program);
        const bin = join(this.root, "bin");
        mkdirSync(bin);
        symlinkSync(join(repository, "dist", "plugin", "main.js"), join(bin, "pulumi-resource-statecraft"));
        this.environment.PATH = [bin, this.environment.PATH].join(delimiter);
        if ("folder" in program) {
            const from = resolve(repository, program.folder);
            cpSync(from, this.folder, {
                recursive: true,
                filter: (path) => !/node_modules$|Pulumi\.[^/]+\.yaml$/.test(path),
            });
        } else if ("yaml" in program) {
            this.writeYaml(program.yaml);
        } else if ("files" in program) {
            for (const [name, text] of Object.entries(program.files))
                writeFileSync(join(this.folder, name), text, { mode: 0o755 });
            this.writeYaml({ runtime: program.runtime });
        } else {
            this.write(program.source, program.language);
        }
        // Pulumi reads YAML, and JSON is YAML.
        const files = {
            "Pulumi.yaml": JSON.stringify({ name: this.project, runtime: { name: "nodejs", options: { typescript } } }),
            "package.json": packageJson,
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

    /** Replaces a program in YAML: its variables, resources and outputs. */
    writeYaml(program: object): void {
        // Pulumi reads YAML, and JSON is YAML.
        const text = JSON.stringify({ name: this.project, runtime: "yaml", ...program });
        writeFileSync(join(this.folder, "Pulumi.yaml"), text);
    }

    /** Sets one value of the stack's configuration; a key with dots is a path into an object. */
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

    /** Does what docs/recovery.md says where the engine died while it wrote the file beside its state: `failed to load checkpoint: EOF`. */
    removeEmptyAttributes(): void {
        const file = join(this.root, "backend", ".pulumi", "stacks", this.project, `${this.stack}.json.attrs`);
        if (existsSync(file) && statSync(file).size === 0) rmSync(file);
    }

    /** The stack's state as it lies in the backend; with secrets in clear, as `pulumi stack export` shows it. */
    async export(options: { readonly showSecrets?: boolean } = {}): Promise<Exported> {
        if (!options.showSecrets) {
            const file = join(this.root, "backend", ".pulumi", "stacks", this.project, `${this.stack}.json`);
            const stored = JSON.parse(readFileSync(file, "utf8")) as {
                readonly checkpoint: { readonly latest?: Exported["deployment"] };
            };
            return { deployment: stored.checkpoint.latest ?? {} };
        }
        const outcome = await this.pulumi("stack", "export", "--show-secrets");
        if (outcome.code !== 0) throw new Error(`pulumi stack export: ${outcome.stderr}`);
        return JSON.parse(outcome.stdout) as Exported;
    }

    /** The stored resources of the program, without the stack itself and its provider. */
    async resources(options: { readonly showSecrets?: boolean } = {}): Promise<readonly StoredResource[]> {
        const { deployment } = await this.export(options);
        return (deployment.resources ?? []).filter(({ type }) => !plumbing.test(type));
    }

    /** What the program exported, as state holds it. */
    async outputs(): Promise<Readonly<Record<string, unknown>>> {
        const { resources = [] } = (await this.export()).deployment;
        return resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
    }

    /** Any other command, e.g. `pulumi("stack", "output", "--json")`; the stack is already chosen. */
    async pulumi(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
        const { run } = await processes();
        // What stands behind `--` are values and no options.
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

    /** Forgets everything; whatever the program made on a server stays there. */
    dispose(): void {
        remove(this.root);
    }
}

/** A new project with one stack for this program. */
export function workspace(options: WorkspaceOptions): Promise<Workspace> {
    return Workspace.make(options);
}
