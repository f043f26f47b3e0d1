import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { packedFiles } from "./support/packed";
import { root } from "./support/repository";

const opening = `import * as pulumi from "@pulumi/pulumi";\nimport * as statecraft from "pulumi-statecraft";\n`;

/** Marks the place at which the compiler must report the error. */
const here = "/*here*/";

/** Programs with a mistake, each with the error that the compiler must report at `here`. */
const mistakes: Readonly<Record<string, [program: string, message: RegExp]>> = {
    "a misspelt argument": [
        `new statecraft.AuthRole("a", { name: "a", ${here}tokenTLL: "1h" });`,
        /'tokenTLL' does not exist.*did you mean to write 'tokenTtl'/i,
    ],
    "a missing argument": [`new statecraft.AuthRole("a", ${here}{ tokenTtl: "1h" });`, /'name' is missing/],
    "an unknown `tokenType`": [
        `new statecraft.AuthRole("a", { name: "a", ${here}tokenType: "bach" });`,
        /Type '"bach"' is not assignable/,
    ],
    "an environment that Azure does not have": [
        `new statecraft.AuthConfig("a", { tenantId: "t", resource: "r", ${here}environment: "AzurePublic" });`,
        /assignable to type 'Input<"AzurePublicCloud" \| "AzureUSGovernmentCloud"/,
    ],
    "`null`": [`new statecraft.AuthRole("a", { name: "a", ${here}tokenTtl: null });`, /Type 'null' is not assignable/],
    "a field of another storage type": [
        `new statecraft.SnapshotConfig("a", { name: "a", interval: "1h", storage: { type: "local", pathPrefix: "/x", maxSpace: 1, ${here}bucket: "b" } });`,
        /'bucket' does not exist/,
    ],
    "a nested topology": [
        `new statecraft.CsiVolume("a", { volumeId: "a", pluginId: "p", topologies: [{ zone: { ${here}a: "b" } }] });`,
        /'a' does not exist in type/,
    ],
    "the internal `lockMarks`": [
        `new statecraft.StateVersionRollback("a", { workspaceId: "w", stateVersionId: "s", ${here}lockMarks: ["m"] });`,
        /'lockMarks' does not exist/,
    ],
    "an output as an argument": [
        `new statecraft.StateVersionRollback("a", { workspaceId: "w", stateVersionId: "s", ${here}serial: 5 });`,
        /'serial' does not exist/,
    ],
    "`parent` for a function": [
        `statecraft.getAuthRolesOutput({}, { ${here}parent: new pulumi.ComponentResource("a:b:C", "c") });`,
        /'parent' does not exist in type 'OutputOptions'/,
    ],
};

/** Programs without a mistake. */
const right: Readonly<Record<string, string>> = {
    "outputs and promises as arguments": `
        const text = pulumi.output("a");
        new statecraft.AuthRole("a", {
            mount: text, namespace: Promise.resolve("n"), name: text, boundGroupIds: [text, "g", Promise.resolve("h")], boundLocations: pulumi.output(["l"]),
            tokenTtl: pulumi.output("1h"), tokenMaxTtl: pulumi.output(3600), tokenPolicies: pulumi.output(["p"]), tokenBoundCidrs: [text], tokenNoDefaultPolicy: pulumi.output(true),
            tokenNumUses: pulumi.output(5), tokenType: pulumi.output("batch" as const), connection: text, adopt: Promise.resolve(true),
        });
        new statecraft.CsiVolume("a", { volumeId: text, pluginId: text, topologies: [{ zone: text }, pulumi.output({ zone: "z" })], accessMode: pulumi.output("single-node-writer" as const) });
        new statecraft.StateVersionRollback("a", { workspaceId: text, stateVersionId: text, triggers: [text, 1, { a: text }], lock: { reason: text }, waitForProcessing: pulumi.output("2m") });`,
    "the words of the API documents": `
        new statecraft.AuthConfig("a", { tenantId: "t", resource: "r", environment: "CloudAChinaCloud" });
        new statecraft.SnapshotConfig("b", { name: "b", interval: 60, storage: { type: "cloudb-s3", pathPrefix: "p", bucket: "b", region: "r" } });
        new statecraft.SnapshotConfig("c", { name: "c", interval: 60, storage: { type: "clouda-blob", pathPrefix: "p", container: "c", accountName: "n", accountKey: "k", environment: "CloudAPublicCloud" } });`,
    "outputs nested in storage": `
        const text = pulumi.output("a");
        const storage: statecraft.SnapshotConfigStorageArgs = { type: "aws-s3", pathPrefix: text, bucket: text, region: "r", accessKeyId: pulumi.secret("k"), secretAccessKey: new pulumi.Config().requireSecret("k"), disableTls: pulumi.output(false) };
        new statecraft.SnapshotConfig("a", { name: "a", interval: pulumi.output(60), retain: pulumi.output(5), storage });
        new statecraft.SnapshotConfig("b", { name: "b", interval: 60, storage: pulumi.output(storage) });
        new statecraft.SnapshotConfig("c", { name: "c", interval: 60, storage: { type: "google-gcs", pathPrefix: "a/", bucket: "b", serviceAccountKey: { type: "service_account", private_key: text, list: ["a"] } } });
        new statecraft.SnapshotConfig("d", { name: "d", interval: 60, storage: { type: "google-gcs", pathPrefix: "a/", bucket: "b", serviceAccountKey: text } });
        new statecraft.SnapshotConfig("e", { name: "e", interval: 60, storage: { type: "azure-blob", pathPrefix: "a/", container: "c", accountKey: text } });`,
    "outputs of another resource that may be absent": `
        const web = new statecraft.AuthRole("web", { name: "web" });
        const { mount, namespace, boundGroupIds, tokenTtl } = web;
        new statecraft.AuthRole("api", { name: "api", mount, namespace, boundGroupIds, tokenTtl });
        export const found = statecraft.getAuthRoleOutput({ name: web.name, mount, namespace });`,
    "words that editors suggest, and others": `
        type Suggested<Property> = Extract<Property, "multi-node-multi-writer" | "block-device">;
        export const words = ["multi-node-multi-writer", "block-device"] satisfies [Suggested<statecraft.CsiVolumeOutputs["accessMode"]>, Suggested<statecraft.CsiVolumeCapability["attachmentMode"]>];
        new statecraft.CsiVolume("a", { volumeId: "a", pluginId: "p", accessMode: "of-a-later-nomad", capabilities: [{ accessMode: "a", attachmentMode: "b" }] });`,
    "`dependsOn` for a function": `
        const parent = new pulumi.ComponentResource("a:b:C", "c");
        const dependsOn: pulumi.InvokeOutputOptions["dependsOn"] = [parent, pulumi.output(parent)];
        const opts: statecraft.OutputOptions = { dependsOn };
        export const found = [statecraft.getAuthRolesOutput({}, opts), statecraft.getAuthRoleOutput({ name: "a" }, { dependsOn: parent })];`,
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
        export const path = snapshots.storage.apply((storage) => (storage.type === "local" ? String(storage.maxSpace) : storage.pathPrefix));`,
    "a read by id": `
        const role: statecraft.AuthRole = statecraft.AuthRole.get("a", "auth/clouda/role/a");
        const again: statecraft.CsiVolume = statecraft.CsiVolume.get("a", role.id, { parent: role });
        export const ttl: pulumi.Output<number | string | undefined> = role.tokenTtl;
        export const nodes: pulumi.Output<number> = again.nodesHealthy;`,
    "outputs in the settings of a native provider": `
        import { Provider } from "pulumi-statecraft/native";
        const [address, token] = [pulumi.output("http://a"), pulumi.secret("t")];
        const vault = { address, token, headers: { "X-Team": token }, timeout: pulumi.output(5), otherAddresses: [address] };
        new Provider("a", { vault, nomad: pulumi.output({ address }), connections: { dr: { manager: vault, terraform: { address: "http://b" } } }, strict: pulumi.output(true) });
        export const named: pulumi.Output<string> = new Provider("b", { stateVersions: { address: "http://b", token: new pulumi.Config().requireSecret("t") } }).urn;`,
};

/** Creates a program whose files exist only in memory. */
function programOf(texts: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.Program {
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
    return ts.createProgram([...texts.keys()], options, host);
}

const fileOf = (kind: string, number: number) => join(root, "test", "types", `${kind}-${number}.ts`);
const messageOf = ({ messageText }: ts.Diagnostic) => ts.flattenDiagnosticMessageText(messageText, "\n");

const texts = new Map([
    ...Object.values(mistakes).map(([text], number) => [fileOf("mistake", number), opening + text] as const),
    ...Object.values(right).map((text, number) => [fileOf("right", number), opening + text] as const),
    [fileOf("import", 0), 'export * as client from "pulumi-statecraft/client";'],
]);

// One program, so that the compiler reads the libraries only once.
describe("with the compiler options of `pulumi new typescript`, a program", function () {
    this.timeout(0);
    let program: ts.Program;
    before(() => {
        program = programOf(texts, {
            strict: true,
            noEmit: true,
            target: ts.ScriptTarget.ES2020,
            module: ts.ModuleKind.CommonJS,
            moduleResolution: ts.ModuleResolutionKind.Node10,
            experimentalDecorators: true,
            types: ["node"],
        });
    });

    it("compiles the types of the package, without `skipLibCheck`", () => {
        const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
        const folders = ["dist", ...Object.keys(dependencies).map((name) => `node_modules/${name}`)];
        // The test does not check the types of Pulumi's SDK, which would take five times as long.
        const checked = program
            .getSourceFiles()
            .filter(({ fileName }) => folders.some((folder) => fileName.startsWith(join(root, folder, "/"))));
        assert(checked.length > 1);
        const found = checked.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
        assert.deepEqual([...found, ...complaints(fileOf("import", 0))].map(messageOf), []);
    });

    it("imports only packed files", async () => {
        const files = new Set((await packedFiles()).map((path) => join(root, path)));
        const needed = program.getSourceFiles().map(({ fileName }) => fileName);
        const ours = needed.filter((file) => file.startsWith(join(root, "dist")));
        assert(ours.length > 0);
        const wrong = ours.filter((file) => !files.has(file));
        assert.deepEqual(wrong, []);
    });

    /** Returns the errors in a file. */
    function complaints(file: string): readonly ts.Diagnostic[] {
        const source = program.getSourceFile(file);
        assert.ok(source);
        return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    }

    for (const [number, [what, [text, message]]] of Object.entries(mistakes).entries()) {
        it(`with ${what} does not compile, with one error at the mistake`, () => {
            const found = complaints(fileOf("mistake", number));
            assert.equal(found.length, 1, found.map(messageOf).join("\n"));
            const [only] = found;
            assert.ok(only);
            assert.match(messageOf(only), message);
            assert.equal(
                only.start,
                (opening + text).indexOf(here) + here.length,
                `another position: ${messageOf(only)}`,
            );
        });
    }

    for (const [number, what] of Object.keys(right).entries()) {
        it(`with ${what} compiles`, () => {
            assert.deepEqual(complaints(fileOf("right", number)).map(messageOf), []);
        });
    }
});
