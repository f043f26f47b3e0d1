import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import * as z from "zod";
import { innerName, unionFormName } from "../scripts/property-texts";
import { asType, required, wordsOf } from "../src/schema/property";
import { definitions } from "./support/definitions";
import { packedFiles } from "./support/packed";

const root = join(__dirname, "..");
const opening = `import * as pulumi from "@pulumi/pulumi";\nimport * as statecraft from "pulumi-statecraft";\n`;

/** The program in the README, without its import. */
function readmeProgram(): string {
    const [, text] = /^```ts\nimport .*\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
    assert.ok(text);
    return text;
}

/** Where the compiler must complain. */
const here = "/*here*/";

/** Mistakes, each with what the compiler must say about the text behind the mark. */
const mistakes: Readonly<Record<string, [program: string, message: RegExp]>> = {
    "an unknown argument": [
        `new statecraft.AuthRole("a", { name: "a", ${here}colour: "red" });`,
        /'colour' does not exist in type 'AuthRoleArgs'/,
    ],
    "a misspelt argument": [
        `new statecraft.AuthRole("a", { name: "a", ${here}tokenTLL: "1h" });`,
        /'tokenTLL' does not exist.*did you mean to write 'tokenTtl'/i,
    ],
    "a missing argument": [`new statecraft.AuthRole("a", ${here}{ tokenTtl: "1h" });`, /'name' is missing/],
    "no arguments": [`${here}new statecraft.AuthRole("a");`, /Expected 2-3 arguments, but got 1/],
    "a number for a name": [
        `new statecraft.AuthRole("a", { ${here}name: 5 });`,
        /Type 'number' is not assignable to type 'Input<string>'/,
    ],
    "a word that is no type of token": [
        `new statecraft.AuthRole("a", { name: "a", ${here}tokenType: "bach" });`,
        /Type '"bach"' is not assignable/,
    ],
    "a text for a list": [
        `new statecraft.AuthRole("a", { name: "a", ${here}boundGroupIds: "g" });`,
        /Type 'string' is not assignable/,
    ],
    "an output of another type": [
        `new statecraft.AuthRole("a", { name: "a", ${here}tokenNumUses: pulumi.output("5") });`,
        /is not assignable to type 'Input<number \| undefined>'/,
    ],
    "a wrong item of a list": [
        `new statecraft.AuthRole("a", { name: "a", boundGroupIds: ["g", ${here}5] });`,
        /Type 'number' is not assignable/,
    ],
    "null for nothing": [
        `new statecraft.AuthRole("a", { name: "a", ${here}tokenTtl: null });`,
        /Type 'null' is not assignable/,
    ],
    "a field of another form of storage": [
        `new statecraft.SnapshotConfig("a", { name: "a", interval: "1h", storage: { type: "local", pathPrefix: "/x", maxSpace: 1, ${here}bucket: "b" } });`,
        /'bucket' does not exist/,
    ],
    "a type of storage that there is not": [
        `new statecraft.SnapshotConfig("a", { name: "a", interval: "1h", storage: { ${here}type: "tape", pathPrefix: "/x" } });`,
        /'"tape"' is not assignable/,
    ],
    "storage that lacks a field": [
        `new statecraft.SnapshotConfig("a", { name: "a", interval: "1h", ${here}storage: { type: "local", pathPrefix: "/x" } });`,
        /'maxSpace' is missing/,
    ],
    "no storage": [`new statecraft.SnapshotConfig("a", ${here}{ name: "a", interval: "1h" });`, /'storage' is missing/],
    "an access mode that is no text": [
        `new statecraft.CsiVolume("a", { volumeId: "a", pluginId: "p", ${here}accessMode: ["single-node-writer"] });`,
        /is not assignable to type 'Input<string \| undefined>'/,
    ],
    "a topology that is not flat": [
        `new statecraft.CsiVolume("a", { volumeId: "a", pluginId: "p", topologies: [{ zone: { ${here}a: "b" } }] });`,
        /'a' does not exist in type/,
    ],
    "another way to delete": [
        `new statecraft.StateVersionRollback("a", { workspaceId: "w", stateVersionId: "s", ${here}onDelete: "undo" });`,
        /'"undo"' is not assignable/,
    ],
    "a reason that is no text": [
        `new statecraft.StateVersionRollback("a", { workspaceId: "w", stateVersionId: "s", lock: { ${here}reason: 5 } });`,
        /Type 'number' is not assignable/,
    ],
    "the frame's own field": [
        `new statecraft.StateVersionRollback("a", { workspaceId: "w", stateVersionId: "s", ${here}lockMark: "m" });`,
        /'lockMark' does not exist/,
    ],
    "an output as an argument": [
        `new statecraft.StateVersionRollback("a", { workspaceId: "w", stateVersionId: "s", ${here}serial: 5 });`,
        /'serial' does not exist/,
    ],
    "an output that there is not": [
        `export const nothing = new statecraft.AuthRole("a", { name: "a" }).${here}colour;`,
        /'colour' does not exist on type 'AuthRole'/,
    ],
    "a change of an output": [
        `new statecraft.AuthRole("a", { name: "a" }).${here}name = pulumi.output("b");`,
        /'name' because it is a read-only property/,
    ],
    "an option that has no effect on a function": [
        `statecraft.getAuthRolesOutput({}, { ${here}parent: new pulumi.ComponentResource("a:b:C", "c") });`,
        /'parent' does not exist in type 'OutputOptions'/,
    ],
    "an option of a function that returns a promise": [
        `statecraft.getAuthRoles({}, ${here}{ dependsOn: [] });`,
        /Expected 0-1 arguments, but got 2/,
    ],
    "a dependency that is no resource": [
        `statecraft.getAuthRolesOutput({}, { ${here}dependsOn: "web" });`,
        /Type 'string' is not assignable/,
    ],
    "a read without an id": [`statecraft.AuthRole.${here}get("a");`, /Expected 2-3 arguments, but got 1/],
};

/** Programs without a mistake. */
const right: Readonly<Record<string, string>> = {
    "the README's program": readmeProgram(),
    "the page's own example": `
        export const web = new statecraft.AuthRole("web", { name: "web", boundResourceGroups: ["prod"], tokenPolicies: ["web"], tokenTtl: "1h" });
        new statecraft.SnapshotConfig("hourly", { name: "hourly", interval: "1h", retain: 24, storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 10_000_000_000 } });
        new statecraft.CsiVolume("data", { volumeId: "data", name: "data", externalId: "vol-0a1b", pluginId: "disks", accessMode: "single-node-writer", attachmentMode: "file-system" });
        new statecraft.StateVersionRollback("undo", { workspaceId: "ws-1", stateVersionId: "sv-7", lock: true });`,
    "outputs and promises for any argument": `
        const text = pulumi.output("a");
        new statecraft.AuthRole("a", {
            mount: text, namespace: Promise.resolve("n"), name: text, boundGroupIds: [text, "g", Promise.resolve("h")], boundLocations: pulumi.output(["l"]),
            tokenTtl: pulumi.output("1h"), tokenMaxTtl: pulumi.output(3600), tokenPolicies: pulumi.output(["p"]), tokenBoundCidrs: [text], tokenNoDefaultPolicy: pulumi.output(true),
            tokenNumUses: pulumi.output(5), tokenType: pulumi.output("batch" as const), connection: text, adopt: Promise.resolve(true),
        });
        new statecraft.CsiVolume("a", { volumeId: text, pluginId: text, topologies: [{ zone: text }, pulumi.output({ zone: "z" })], accessMode: pulumi.output("single-node-writer" as const) });
        new statecraft.StateVersionRollback("a", { workspaceId: text, stateVersionId: text, triggers: [text, 1, { a: text }], lock: { reason: text }, waitForProcessing: pulumi.output("2m") });`,
    "outputs nested in storage": `
        const text = pulumi.output("a");
        const storage: statecraft.SnapshotConfigStorageArgs = { type: "cloudb-s3", pathPrefix: text, bucket: text, region: "r", accessKeyId: pulumi.secret("k"), secretAccessKey: new pulumi.Config().requireSecret("k"), disableTls: pulumi.output(false) };
        new statecraft.SnapshotConfig("a", { name: "a", interval: pulumi.output(60), retain: pulumi.output(5), storage });
        new statecraft.SnapshotConfig("b", { name: "b", interval: 60, storage: pulumi.output(storage) });
        new statecraft.SnapshotConfig("c", { name: "c", interval: 60, storage: { type: "cloudc-gcs", pathPrefix: "a/", bucket: "b", serviceAccountKey: { type: "service_account", private_key: text, list: ["a"] } } });
        new statecraft.SnapshotConfig("d", { name: "d", interval: 60, storage: { type: "cloudc-gcs", pathPrefix: "a/", bucket: "b", serviceAccountKey: text } });
        new statecraft.SnapshotConfig("e", { name: "e", interval: 60, storage: { type: "clouda-blob", pathPrefix: "a/", container: "c", accountKey: text } });`,
    "undefined for what is optional": `
        const maybe: string | undefined = process.env["A"];
        new statecraft.AuthRole("a", { name: "a", tokenTtl: maybe, mount: maybe, tokenPolicies: undefined, boundGroupIds: maybe ? [maybe] : undefined });`,
    "what another resource has left out": `
        const web = new statecraft.AuthRole("web", { name: "web" });
        const { mount, namespace, boundGroupIds, tokenTtl } = web;
        new statecraft.AuthRole("api", { name: "api", mount, namespace, boundGroupIds, tokenTtl });
        export const found = statecraft.getAuthRoleOutput({ name: web.name, mount, namespace });`,
    "the options of every resource": `
        const parent = new pulumi.ComponentResource("a:b:C", "c");
        new statecraft.AuthRole("a", { name: "a" }, { parent, protect: true, dependsOn: [parent], ignoreChanges: ["tokenTtl"], deleteBeforeReplace: true });`,
    "the option of every function that returns an output": `
        const parent = new pulumi.ComponentResource("a:b:C", "c");
        const dependsOn: pulumi.InvokeOutputOptions["dependsOn"] = [parent, pulumi.output(parent)];
        const opts: statecraft.OutputOptions = { dependsOn };
        export const found = [statecraft.getAuthRolesOutput({}, opts), statecraft.getAuthRoleOutput({ name: "a" }, { dependsOn: parent })];`,
    "a shared set of arguments": `
        const shared: Partial<statecraft.AuthRoleArgs> = { tokenTtl: "1h", tokenType: "batch" };
        for (const name of ["a", "b"]) new statecraft.AuthRole(name, { ...shared, name });`,
    "typed outputs": `
        type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
        const role = new statecraft.AuthRole("a", { name: "a" });
        const snapshots = new statecraft.SnapshotConfig("a", { name: "a", interval: 1, storage: { type: "local", pathPrefix: "/x", maxSpace: 1 } });
        const volume = new statecraft.CsiVolume("a", { volumeId: "a", pluginId: "p" });
        const rollback = new statecraft.StateVersionRollback("a", { workspaceId: "w", stateVersionId: "s" });
        export const all: true[] = [
            true satisfies Same<typeof role.tokenTtl, pulumi.Output<number | string | undefined>>,
            true satisfies Same<typeof role.name, pulumi.Output<string>>,
            true satisfies Same<typeof role.tokenPolicies, pulumi.Output<string | string[] | undefined>>,
            true satisfies Same<typeof role.server, pulumi.Output<string>>,
            true satisfies Same<typeof role.unfinished, pulumi.Output<string[] | undefined>>,
            true satisfies Same<typeof snapshots.retain, pulumi.Output<number | undefined>>,
            true satisfies Same<typeof snapshots.storage, pulumi.Output<statecraft.SnapshotConfigStorage>>,
            true satisfies Same<typeof volume.schedulable, pulumi.Output<boolean>>,
            true satisfies Same<typeof volume.topologies, pulumi.Output<Record<string, string>[] | undefined>>,
            true satisfies Same<typeof rollback.serial, pulumi.Output<number | undefined>>,
            true satisfies Same<typeof rollback.currentStateVersionId, pulumi.Output<string>>,
            true satisfies Same<typeof rollback.superseded, pulumi.Output<boolean>>,
            true satisfies Same<typeof role.id, pulumi.Output<pulumi.ID>>,
        ];
        export const types = rollback.resources.apply((resources) => resources?.map(({ type, count }) => type.repeat(count)));
        export const path = snapshots.storage.apply((storage) => (storage.type === "local" ? storage.maxSpace.toFixed() : storage.pathPrefix));`,
    "outputs of one resource as arguments of another": `
        const role = new statecraft.AuthRole("a", { name: "a" });
        new statecraft.AuthRole("b", { name: pulumi.interpolate\`\${role.name}-b\`, tokenTtl: role.tokenTtl.apply((ttl) => ttl ?? "1h") });`,
    "a read by id": `
        const role: statecraft.AuthRole = statecraft.AuthRole.get("a", "auth/clouda/role/a");
        const again: statecraft.CsiVolume = statecraft.CsiVolume.get("a", role.id, { parent: role });
        export const ttl: pulumi.Output<number | string | undefined> = role.tokenTtl;
        export const nodes: pulumi.Output<number> = again.nodesHealthy;`,
    "outputs among the settings of a native provider": `
        import { Provider } from "pulumi-statecraft/native";
        const [address, token] = [pulumi.output("http://a"), pulumi.secret("t")];
        const vault = { address, token, headers: { "X-Team": token }, timeout: pulumi.output(5), otherAddresses: [address] };
        new Provider("a", { vault, nomad: pulumi.output({ address }), connections: { dr: { manager: vault, terraform: { address: "http://b" } } }, strict: pulumi.output(true) });
        export const named: pulumi.Output<string> = new Provider("b", { stateVersions: { address: "http://b", token: new pulumi.Config().requireSecret("t") } }).urn;`,
    "a resource of a kind that is asked for": `
        export function nameOf(value: unknown): pulumi.Output<string> | undefined {
            return statecraft.AuthRole.isInstance(value) ? value.name : undefined;
        }`,
    "a subclass, and a type of settings": `
        export class Role extends statecraft.AuthRole {}
        export const role: Role = Role.get("a", "auth/clouda/role/a");
        export const settings: statecraft.ServiceSettings = { address: "http://a" };`,
};

/** One program over all of them: the compiler reads the libraries once. */
function compile(texts: ReadonlyMap<string, string>): ts.Program {
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
    const paths = {
        "pulumi-statecraft": [join(root, "dist", "index.d.ts")],
        "pulumi-statecraft/native": [join(root, "dist", "native.d.ts")],
    };
    const args = join(root, "src", "generated", "args.ts");
    return programOf(texts, [args], { ...options, types: ["node"], paths });
}

/** A program of these texts, which are on no disk, and of these files. */
function programOf(
    texts: ReadonlyMap<string, string>,
    files: readonly string[],
    options: ts.CompilerOptions,
): ts.Program {
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists, readFile } = host;
    host.getSourceFile = (name, ...rest) => {
        const text = texts.get(name);
        return text === undefined
            ? getSourceFile(name, ...rest)
            : ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
    };
    host.fileExists = (name) => texts.has(name) || fileExists(name);
    host.readFile = (name) => texts.get(name) ?? readFile(name);
    return ts.createProgram([...texts.keys(), ...files], options, host);
}

const fileOf = (kind: string, number: number) => join(root, "test", "types", `${kind}-${number}.ts`);
const messageOf = ({ messageText }: ts.Diagnostic) => ts.flattenDiagnosticMessageText(messageText, "\n");

describe("the types of the package", function () {
    this.timeout(0);
    let program: ts.Program;

    before(() => {
        const imports = ["", "/native", "/client"];
        const file = join(root, "test", "types", "template.ts");
        const text = imports
            .map((from, number) => `export * as from${number} from "pulumi-statecraft${from}";\n`)
            .join("");
        // The options of `pulumi new typescript`.
        program = programOf(new Map([[file, text]]), [], {
            strict: true,
            noEmit: true,
            target: ts.ScriptTarget.ES2020,
            module: ts.ModuleKind.CommonJS,
            moduleResolution: ts.ModuleResolutionKind.Node10,
            experimentalDecorators: true,
            types: ["node"],
        });
    });

    it("compile with the options of `pulumi new typescript`, which check libraries too", () => {
        const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
        const folders = ["test/types", "dist", ...Object.keys(dependencies).map((name) => `node_modules/${name}`)];
        // The types of Pulumi's SDK are Pulumi's, and take the compiler five times as long.
        const checked = program
            .getSourceFiles()
            .filter(({ fileName }) => folders.some((folder) => fileName.startsWith(join(root, folder, "/"))));
        assert(checked.length > 1);
        const complaints = checked.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
        assert.deepEqual(complaints.map(messageOf), []);
    });

    it("need no file that is not packed", async () => {
        const files = new Set((await packedFiles()).map((path) => join(root, path)));
        const needed = program.getSourceFiles().map(({ fileName }) => fileName);
        const ours = needed.filter((file) => file.startsWith(join(root, "dist")));
        assert(ours.length > 0);
        assert.deepEqual(
            ours.filter((file) => !files.has(file)),
            [],
        );
    });

    it("can be read by compilers from before TypeScript 4.5: no `type` among the names of an import", () => {
        const late: string[] = [];
        const look = (node: ts.Node): void => {
            if ((ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) && node.isTypeOnly) {
                late.push(`${node.getSourceFile().fileName}: ${node.getText()}`);
            }
            ts.forEachChild(node, look);
        };
        const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(join(root, "dist")));
        assert(ours.length > 0);
        for (const file of ours) ts.forEachChild(file, look);
        assert.deepEqual(late, []);
    });
});

describe("a program", function () {
    this.timeout(0);
    let program: ts.Program;
    const texts = new Map([
        ...Object.values(mistakes).map(([text], number) => [fileOf("mistake", number), opening + text] as const),
        ...Object.values(right).map((text, number) => [fileOf("right", number), opening + text] as const),
    ]);

    before(() => {
        program = compile(texts);
    });

    /** What the compiler says of a file; imports that a fixture has no use for do not count. */
    function complaints(file: string): readonly ts.Diagnostic[] {
        const source = program.getSourceFile(file);
        assert.ok(source);
        const unused = 6133;
        return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].filter(
            ({ code }) => code !== unused,
        );
    }

    for (const [number, [what, [text, message]]] of Object.entries(mistakes).entries()) {
        it(`with ${what} does not compile: one error, where the mistake is`, () => {
            const found = complaints(fileOf("mistake", number));
            assert.equal(found.length, 1, found.map(messageOf).join("\n"));
            const [only] = found;
            assert.ok(only);
            assert.match(messageOf(only), message);
            assert.equal(
                only.start,
                (opening + text).indexOf(here) + here.length,
                `stands elsewhere: ${messageOf(only)}`,
            );
        });
    }

    for (const [number, what] of Object.keys(right).entries()) {
        it(`with ${what} compiles`, () => {
            assert.deepEqual(complaints(fileOf("right", number)).map(messageOf), []);
        });
    }

    describe("in an editor", () => {
        /** The interfaces of the generated file, by name, with what editors show for each property. */
        function shown(name: string): Map<string, string> {
            const checker = program.getTypeChecker();
            const source = program.getSourceFile(join(root, "src", "generated", "args.ts"));
            const declaration = source?.statements.find(
                (node) => ts.isInterfaceDeclaration(node) && node.name.text === name,
            );
            assert.ok(declaration, `there is no ${name}`);
            const properties = checker.getTypeAtLocation(declaration).getProperties();
            return new Map(
                properties.map((property) => [
                    property.name,
                    ts.displayPartsToString(property.getDocumentationComment(checker)),
                ]),
            );
        }

        for (const definition of definitions) {
            it(`is told what each argument and output of ${definition.type} is`, () => {
                const variants = Object.entries(definition.inputs.shape).flatMap(([name, type]) => {
                    const union = required(asType(type));
                    if (!(union instanceof z.ZodDiscriminatedUnion)) return [];
                    return union.options.map((option) => {
                        const form = asType(option);
                        assert(form instanceof z.ZodObject);
                        const [word] = wordsOf(asType(form.shape[union.def.discriminator]));
                        return unionFormName(innerName(definition.type, name), word);
                    });
                });
                const interfaces = [
                    ...variants.flatMap((name) => [name, `${name}Args`]),
                    `${definition.type}Args`,
                    `${definition.type}Outputs`,
                ];
                for (const name of interfaces) {
                    const docs = shown(name);
                    assert.ok(docs.size > 1, name);
                    for (const [property, doc] of docs) {
                        assert.match(doc, /^[A-Z0-9`].*[.]$/s, `${name}.${property}: ${doc}`);
                    }
                }
            });
        }
    });
});
