/**
 * The commands of pages and messages that call `npx pulumi-statecraft`, `vault`, `nomad`, `terraform` or `curl`, and how
 * `npm run test:nightly -- --only commands` runs each with the real program. A command without a way to run it fails `test/printed-commands.test.ts`.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");
const places = ["src", "docs", "README.md", "SECURITY.md", "examples/README.md"];
const programs = /^(?:\w+=\S* )*(?:npx pulumi-statecraft|vault|nomad|terraform|curl) /;

export function filesIn(path: string): string[] {
    if (!statSync(join(root, path)).isDirectory()) return [path];
    return readdirSync(join(root, path))
        .filter((name) => name !== "node_modules")
        .flatMap((name) => filesIn(`${path}/${name}`));
}

/** The commands in blocks of code and between backticks. Lines that end in a backslash are joined. */
export function printedCommands(): string[] {
    const texts = places
        .flatMap(filesIn)
        .filter((file) => /\.(md|ts)$/.test(file) && !/^src\/(generated|simulator)\//.test(file))
        .map((file) => readFileSync(join(root, file), "utf8").replace(/\\\n\s*/g, ""))
        .map((text) => text.replace(/^\s*(\/?\*|\/\/).*$/gm, ""));
    const found = texts.flatMap((text) => [
        ...[...text.matchAll(/^ *```(?:sh|text|console)\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = ""]) =>
            block.split("\n").map((line) => line.trim().replace(/^\$ | +#.*$/g, "")),
        ),
        ...[...text.matchAll(/`([^`\n]+?)\\?`/g)].map(([, code = ""]) => code),
    ]);
    return [...new Set(found.filter((line) => programs.test(line)))].sort();
}

/** How a command is run. */
export interface Way {
    /** Default: the simulator of `test/contract/commands.ts`. */
    readonly on?: "vault" | "nomad";
    /** Commands that run before it. */
    readonly before?: string;
    /** Values instead of placeholders, and of what a page's reader has. */
    readonly values?: Readonly<Record<string, string>>;
    /** The exit codes of success. Default: 0. A check that finds something ends with 1, and a wrong argument with 2. */
    readonly codes?: readonly number[];
    /** Why it cannot be run. */
    readonly never?: string;
}

const post = (path: string, body: string) =>
    `curl -fsS -X POST -H "Authorization: Bearer $TFE_TOKEN" -H "X-Nomad-Token: any" -H "Content-Type: application/vnd.api+json" -d '${body}' ${path}\n`;
const volume = (id: string, namespace = "default") => {
    const body = {
        ID: id,
        Namespace: namespace,
        PluginID: "disks",
        RequestedCapabilities: [{ AccessMode: "single-node-writer", AttachmentMode: "file-system" }],
    };
    return post(`-X PUT $NOMAD_ADDR/v1/volume/csi/${id}?namespace=${namespace}`, JSON.stringify({ Volumes: [body] }));
};
const enabled = (type: string) => `vault auth enable ${type} || true\n`;
/** What pages set in variables of the shell. */
const variables = [
    "role=$VAULT_ADDR/v1/auth/azure/role",
    "method=$VAULT_ADDR/v1/auth/azure/config",
    "config=$VAULT_ADDR/v1/sys/storage/raft/snapshot-auto/config",
    `s3='"storage_type":"aws-s3","aws_s3_bucket":"b","aws_s3_region":"r","path_prefix":"p"'`,
    `local='"storage_type":"local","local_max_space":1000000,"path_prefix":"/p"'`,
    `keys='"aws_access_key_id":"k","aws_secret_access_key":"s"'`,
    `modes='"RequestedCapabilities":[{"AccessMode":"single-node-writer","AttachmentMode":"file-system"}]'`,
    `options='"MountOptions":{"FSType":"ext4"}'\n`,
].join("\n");
const job = `cat > job.hcl <<'END'
job "web" {
  group "g" {
    task "t" {
      driver = "raw_exec"
      config {
        command = "sleep"
        args = ["60"]
      }
    }
  }
}
END
nomad job run -detach job.hcl
`;

/** The first one whose expression matches a command says how it is run. */
export const ways: readonly (readonly [RegExp, Way])[] = [
    // A name of a command without its arguments.
    [/^npx pulumi-statecraft (history|rollback|lock|unlock)( --\w+)?$/, { values: { "( --\\w+)?$": " --help" } }],
    [/^npx pulumi-statecraft simulator --( <command>)?$/, { values: { "--.*": "-- true" } }],
    [/^npx pulumi-statecraft simulator --names product$/, { values: { $: " -- true" } }],
    [/^npx pulumi-statecraft simulator -- sh -c "pulumi/, { never: "test/end-to-end/readme.test.ts runs it" }],
    [/^npx pulumi-statecraft doctor/, { codes: [0, 1], values: { "acme/web": "example/app" } }],
    [/^npx pulumi-statecraft rollback .*module\.db/, { values: { "'module.*'": "example_server.queue", $: " --yes" } }],
    [
        /^npx pulumi-statecraft unlock/,
        {
            before: "npx pulumi-statecraft lock example/app\n",
            values: { "<organization>/<workspace>": "example/app", $: " --yes" },
        },
    ],
    [/^npx pulumi-statecraft rollback/, { values: { $: " --yes" } }],
    [/^npx pulumi-statecraft/, { values: { "<workspace>": "example/app" } }],
    [/^curl .*169\.254\.169\.254/, { never: "only a machine in Azure has this address" }],
    [/^curl /, { before: variables, values: { "^curl": "curl -fsS" } }],
    [/^terraform /, { never: "Terraform is not built here" }],
    [/^vault (login|operator unseal)$/, { on: "vault", values: { "(?<=\\w)$": " -help" } }],
    [
        /^vault auth enable/,
        { on: "vault", values: { "(?<=enable)( -path=\\S+)?( azure)?": " -path=documented-$$ azure" } },
    ],
    [
        /^vault policy write/,
        {
            on: "vault",
            before: "sed -n '/^```hcl$/,/^```$/p' ../../docs/settings.md | sed '/^```/d' > statecraft.hcl\n",
        },
    ],
    [
        /^vault unwrap/,
        {
            on: "vault",
            before: "token=$(vault write -wrap-ttl=60s -field=wrapping_token sys/wrapping/wrap secret_id=s)\n",
            values: { "( <token>)?$": " $token" },
        },
    ],
    [/^vault write auth\/jwt\/config/, { never: "Vault would ask GitHub" }],
    [
        /^vault write auth\/(approle|jwt|kubernetes)\//,
        { on: "vault", before: ["approle", "jwt"].map(enabled).join("") },
    ],
    [/^vault /, { on: "vault" }],
    [/^nomad namespace apply/, { on: "nomad", values: { "<name>": "documented" } }],
    [
        /^nomad volume deregister/,
        { before: volume("logs", "team-a") + volume("logs") + volume("old"), values: { "\\$\\{.*": "logs" } },
    ],
    [/^nomad plugin status/, { on: "nomad", values: { ebs: "$STATECRAFT_CONTRACT_PLUGIN" } }],
    [/^nomad job stop/, { on: "nomad", before: job, values: { "\\$\\{.*": "-detach web", "<job>": "-detach web" } }],
    [/^nomad acl auth-method/, { on: "nomad" }],
    [
        /^nomad acl binding-rule create -auth-method <name>/,
        {
            on: "nomad",
            before: 'nomad acl auth-method create -name documented -type JWT -max-token-ttl 20m -token-locality local -config \'{"JWKSURL":"https://k.example"}\' || true\n',
            values: { "<name> …": "documented -bind-type policy -bind-name contract" },
        },
    ],
    [/^nomad /, { on: "nomad" }],
];

export const wayOf = (command: string) => ways.find(([pattern]) => pattern.test(command))?.[1];
