/**
 * The commands of pages and messages that call `npx pulumi-statecraft`, `pulumi`, `vault`, `nomad`, `terraform` or `curl`, and how
 * `npm run test:nightly -- --only commands` runs each with the real program. A command without a way to run it fails `test/printed-commands.test.ts`.
 */

import { filesIn, textOf } from "../support/repository";

const places = ["src", "docs", "README.md", "SECURITY.md", "examples/README.md"];
const programs = /^(?:\w+=\S* )*(?:npx pulumi-statecraft|(?:npx )?pulumi|vault|nomad|terraform(?! \{)|curl) /;

const quotes = [/\\`([^`\n]+?)\\`/g, /`([^`\n]+?)\\?`/g, /"([^"\n]+)"/g];

/** The commands in blocks of code and between backticks or quotes. Lines that end in a backslash are joined. */
export function printedCommands(): string[] {
    const texts = places
        .flatMap(filesIn)
        .filter((file) => /\.(md|ts)$/.test(file) && !file.startsWith("src/generated/"))
        .map((file) => textOf(file).replace(/\\\n\s*/g, ""))
        .map((text) => text.replace(/^\s*(\/?\*|\/\/).*$/gm, ""));
    const found = texts.flatMap((text) => [
        ...[...text.matchAll(/^ *```(?:sh|text|console)\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = ""]) =>
            block.split("\n").map((line) => line.trim().replace(/^\$ | +#.*$/g, "")),
        ),
        ...quotes.flatMap((quoted) =>
            [...text.matchAll(quoted)].flatMap(([, code = ""]) => code.split("\\n").map((line) => line.trim())),
        ),
    ]);
    return [...new Set(found.filter((line) => programs.test(line)))].sort();
}

/** How a command is run. */
export interface Way {
    /** A real server, a project whose stack is up, or a folder with a state of OpenTofu. Default: the simulator of `test/contract/commands.ts`. */
    readonly on?: "vault" | "nomad" | "stack" | "terraform";
    /** Commands that run before it. */
    readonly before?: string;
    /** Values instead of placeholders, and of what a page's reader has. */
    readonly values?: Readonly<Record<string, string>>;
    /** The exit codes of success. Default: 0. A check that finds something ends with 1, and a wrong argument with 2. */
    readonly codes?: readonly number[];
    /** The test that runs it instead. */
    readonly by?: string;
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

const urn = "urn:pulumi:dev::test::statecraft:index:StateVersionRollback::undo";
const listed = "npx pulumi-statecraft import\n";
const installed = `printf '#!/bin/sh\\nexec %s "$@"\\n' $(readlink -f node_modules/.bin/pulumi-resource-statecraft) > pulumi-resource-statecraft
chmod +x pulumi-resource-statecraft
tar -czf plugin.tar.gz pulumi-resource-statecraft
pulumi plugin install resource statecraft 0.1.0 --file plugin.tar.gz
`;
/** The variable of the plugin's file on the page, and an input file. */
const single = `plugin=./node_modules/.bin/pulumi-resource-statecraft
printf 'name = "new"\\nboundGroupIds = ["g"]\\n' > role.pcl
`;
const state = `terraform() { "$STATECRAFT_TOFU" "$@"; }
echo 'resource "terraform_data" "web" {}' > main.tf
terraform init
terraform apply -auto-approve
`;
/** OpenTofu has legacy providers at its own registry alone. */
const legacy = "sed -i s,terraform.io/builtin/terraform,registry.opentofu.org/-/null, terraform.tfstate\n";
const replaced = "-auto-approve registry.opentofu.org/-/null registry.opentofu.org/hashicorp/null | grep Successfully";

/** The first one whose expression matches a command says how it is run. */
export const ways: readonly (readonly [RegExp, Way])[] = [
    // A name of a command without its arguments.
    [/^npx pulumi-statecraft (history|rollback|lock|unlock)( --\w+)?$/, { values: { "( --\\w+)?$": " --help" } }],
    [/^npx pulumi-statecraft simulator --( <command>)?$/, { values: { "--.*": "-- true" } }],
    [/^npx pulumi-statecraft simulator --names product$/, { values: { $: " -- true" } }],
    [/^npx pulumi-statecraft simulator -- sh -c "pulumi/, { on: "stack", before: "pulumi destroy --yes\n" }],
    [/^npx pulumi-statecraft doctor/, { codes: [0, 1], values: { "acme/web": "example/app" } }],
    [/^npx pulumi-statecraft rollback .*module\.db/, { values: { "'module.*'": "example_server.queue", $: " --yes" } }],
    [
        /^npx pulumi-statecraft unlock/,
        {
            before: "npx pulumi-statecraft lock example/app\n",
            values: { "<.*>|\\$\\{words\\}": "example/app", $: " --yes" },
        },
    ],
    [/^npx pulumi-statecraft rollback/, { values: { $: " --yes" } }],
    [/^npx pulumi-statecraft/, { values: { "<workspace>": "example/app" } }],
    [/^curl .*169\.254\.169\.254/, { never: "only a machine in Azure has this address" }],
    [/^curl /, { before: variables, values: { "^curl": "curl -fsS" } }],
    [/^terraform (login|state replace-provider)$/, { on: "terraform", before: state, values: { $: " -help" } }],
    [
        /^terraform state replace-provider/,
        { on: "terraform", before: state + legacy, values: { "\\$\\{.*": replaced } },
    ],
    [/^terraform /, { on: "terraform", before: state, values: { "<address>": "terraform_data.web" } }],
    [/^pulumi new/, { never: "Pulumi would download a template" }],
    [/^pulumi (plugin install|package add statecraft@)/, { by: "test/end-to-end/native-packed.test.ts" }],
    [/^pulumi package gen-sdk/, { never: "Pulumi would download the language host of Java" }],
    [
        /^pulumi (do|login|import( --skip-preview)?|package add|stack import|config set --secret)$/,
        { on: "stack", values: { $: " --help" } },
    ],
    [/^pulumi package add <folder>/, { on: "stack", codes: [1], values: { "<.*>": "$REPOSITORY/dist" } }],
    [
        /^pulumi (package|plugin run|schema)/,
        {
            on: "stack",
            before: installed,
            values: {
                "<.*>": "./node_modules/.bin/pulumi-resource-statecraft",
                "schema.json": "$REPOSITORY/schema.json",
            },
        },
    ],
    [
        /^pulumi do statecraft/,
        { on: "stack", before: installed + single, values: { "web …": "web --yes --input pcl --input-file role.pcl" } },
    ],
    [/^pulumi do /, { on: "stack", before: single, values: { "--stateless": "--stateless --yes" } }],
    // On a terminal, Pulumi would ask.
    [/^pulumi login/, { on: "stack", before: "true | ", values: { "…": "$PWD" } }],
    [/^pulumi install/, { never: "Pulumi would ask its registry for the newest plugin" }],
    [/^pulumi config set .*--secret( \w+)?$/, { on: "stack", before: "echo planted | " }],
    [
        /^pulumi config set .*\$\{/,
        { on: "stack", values: { "(?<=--path ).*": "'statecraft:vault.otherAddresses[0]' http://127.0.0.1:1" } },
    ],
    [/^pulumi config set/, { on: "stack", values: { "<.*>": "planted" } }],
    [
        /^pulumi import --file/,
        { on: "stack", before: listed, values: { "\\$\\{.*\\)\\}|(?<=--file)$": " import.json" } },
    ],
    [/^pulumi import .*WorkspaceLock/, { on: "stack", before: "npx pulumi-statecraft lock example/app\n" }],
    [/^pulumi import/, { on: "stack", values: { "\\$\\{.*": "statecraft:index:AuthRole web auth/azure/role/web" } }],
    [/^pulumi stack init/, { on: "stack", values: { dev: "other" } }],
    [
        /^(\S+ )?pulumi /,
        {
            on: "stack",
            values: {
                "(?<=--(target|replace))$": ` ${urn}`,
                "'?<(urn|URN).*>'?": urn,
                "cancel app": "cancel dev --yes",
            },
        },
    ],
    [/^vault (login|operator unseal)$/, { on: "vault", values: { "(?<=\\w)$": " -help" } }],
    [/^vault auth enable/, { values: { "(?<=enable)( -path=.*)?$": " -path=documented azure" } }],
    [/^vault auth list/, {}],
    [
        /^vault policy write/,
        {
            on: "vault",
            before: "sed -n '/^```hcl$/,/^```$/p' $REPOSITORY/docs/settings.md | sed '/^```/d' > statecraft.hcl\n",
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
    [/^vault write auth\/kubernetes\//, { never: "the Vault of `npm run real` is built without this method" }],
    [/^vault write auth\/(approle|jwt)\//, { on: "vault", before: ["approle", "jwt"].map(enabled).join("") }],
    [/^vault /, { on: "vault" }],
    [/^nomad namespace apply/, { values: { "<name>": "documented" } }],
    [
        /^nomad volume deregister/,
        {
            // Nomad asks before it forces.
            before: `${volume("logs", "team-a") + volume("logs") + volume("old")}echo y | `,
            values: { "\\$\\{flag\\}": "", "\\$\\{.*": "logs" },
        },
    ],
    [/^nomad plugin status/, { values: { "ebs|\\$\\{.*": "disks" } }],
    [/^nomad (node status|system gc)/, {}],
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
