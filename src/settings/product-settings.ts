/**
 * The environment variables and files in which the tools of Vault, Nomad and HCP Terraform find their settings.
 * Settings of statecraft take precedence. Servers that use the names of the API documents get nothing from these places.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ServiceName } from "../core/service";
import { ConfigError } from "../errors";
import { isRecord } from "../schema/values";
import type * as SecretSource from "./secret-source";
import { fromJson } from "./settings-schema";

const hostVariable = "TF_TOKEN_<host>";
const hostNames = ["TFE_HOSTNAME", "TF_CLOUD_HOSTNAME"];
const cliFile = "TF_CLI_CONFIG_FILE";
/** The files in which Terraform's command line finds tokens, with their names on Windows. The file of `TF_CLI_CONFIG_FILE` replaces all. */
const cliFiles: Readonly<Record<string, string>> = {
    "~/.terraform.d/credentials.tfrc.json": "%APPDATA%/terraform.d/credentials.tfrc.json",
    "~/.terraformrc": "%APPDATA%/terraform.rc",
    "~/.tofurc": "%APPDATA%/tofu.rc",
};

/** The variable of the address of an agent, which may add the token to requests. */
export const agentAddress = "VAULT_AGENT_ADDR";

/** The variable of a user and a password, or of a user alone, that a proxy before Nomad wants. */
export const httpAuthVariable = "NOMAD_HTTP_AUTH";

/** Variables and files of each setting. The first that has a value is used. */
const places: Readonly<Record<string, Partial<Record<ServiceName, readonly string[]>>>> = {
    address: {
        manager: [agentAddress, "VAULT_ADDR"],
        volumes: ["NOMAD_ADDR"],
        stateVersions: ["TFE_ADDRESS", ...hostNames],
    },
    token: {
        manager: ["VAULT_TOKEN", "~/.vault-token"],
        volumes: ["NOMAD_TOKEN"],
        stateVersions: ["TFE_TOKEN", hostVariable, cliFile, ...Object.keys(cliFiles)],
    },
    namespace: { manager: ["VAULT_NAMESPACE"], volumes: ["NOMAD_NAMESPACE"] },
    region: { volumes: ["NOMAD_REGION"] },
    caFile: { manager: ["VAULT_CACERT", "VAULT_CACERT_BYTES"], volumes: ["NOMAD_CACERT"] },
    clientCertFile: { manager: ["VAULT_CLIENT_CERT"], volumes: ["NOMAD_CLIENT_CERT"] },
    clientKeyFile: { manager: ["VAULT_CLIENT_KEY"], volumes: ["NOMAD_CLIENT_KEY"] },
    tlsServerName: { manager: ["VAULT_TLS_SERVER_NAME"], volumes: ["NOMAD_TLS_SERVER_NAME"] },
    skipTlsVerify: { manager: ["VAULT_SKIP_VERIFY"], volumes: ["NOMAD_SKIP_VERIFY"] },
};

/** The variable of a field that users of the product set, for advice. */
export const productVariable = (service: ServiceName, field: string) =>
    places[field]?.[service]?.find((place) => place !== agentAddress);

/** Variables of the products' tools that have no effect, by the setting that replaces them. */
export const unusedVariables: Readonly<Record<string, readonly string[]>> = {
    VAULT_ADDR: ["BAO_ADDR", "VAULT_SERVER_URL", "VAULT_SRV_LOOKUP"],
    VAULT_TOKEN: ["BAO_TOKEN"],
    VAULT_NAMESPACE: ["BAO_NAMESPACE"],
    STATECRAFT_VAULT_LOGIN: [
        "VAULT_AUTH_PATH",
        "VAULT_AUTH_ROLE",
        "VAULT_ID_TOKEN",
        "VAULT_ROLE_ID",
        "VAULT_SECRET_ID",
    ],
    STATECRAFT_VAULT_CA_FILE: ["VAULT_CAPATH"],
    STATECRAFT_VAULT_HEADERS: ["VAULT_HEADERS"],
    STATECRAFT_VAULT_TIMEOUT: ["VAULT_CLIENT_TIMEOUT"],
    STATECRAFT_VAULT_MAX_RETRIES: ["VAULT_MAX_RETRIES"],
    STATECRAFT_VAULT_MAX_CONCURRENCY: ["VAULT_RATE_LIMIT"],
    STATECRAFT_NOMAD_CA_FILE: ["NOMAD_CAPATH"],
    STATECRAFT_TERRAFORM_SKIP_TLS_VERIFY: ["TFE_SSL_SKIP_VERIFY"],
    TFE_TOKEN: ["TF_API_TOKEN", "TFC_TOKEN", "ATLAS_TOKEN"],
    "the argument of `history`": ["TF_CLOUD_ORGANIZATION", "TFE_ORGANIZATION", "TF_WORKSPACE"],
    HTTPS_PROXY: ["VAULT_PROXY_ADDR", "VAULT_HTTP_PROXY"],
    NODE_EXTRA_CA_CERTS: ["SSL_CERT_FILE"],
};

/** The places of one field, the first to be used first. Terraform's tools store tokens by the host of the `address`. */
export function productPlaces(service: ServiceName, field: string, address: string, environment: NodeJS.ProcessEnv) {
    const all = places[field]?.[service] ?? [];
    const used = environment[cliFile] ? all.filter((place) => !(place in cliFiles)) : all;
    return used.map((place) => {
        if (place === hostVariable) return tokenVariable(address, environment);
        return (process.platform === "win32" && cliFiles[place]) || place;
    });
}

/** The variable of the token for the host of an address: one that is set, in any spelling that Terraform takes, or else the usual one. */
function tokenVariable(address: string, environment: NodeJS.ProcessEnv): string {
    const host = hostOf(address);
    const set = Object.keys(environment).find((name) => hostIn(name) === host);
    return set ?? `TF_TOKEN_${host.replace(/-/g, "__").replace(/[^\w]/g, "_")}`;
}

/**
 * The places of one field as messages name them: with variables that are set and not read, with the token for another host, and a file in which
 * Terraform names a program that has its tokens, with that program.
 */
export function namedPlaces(...[service, field, address, environment]: Parameters<typeof productPlaces>): string[] {
    return productPlaces(service, field, address, environment).map((place) => {
        const unread = (unusedVariables[place] ?? []).filter((name) => environment[name]).join(", ");
        if (unread) return `${place} (${unread} is set, and not read)`;
        const [host] = tokenHosts(place, environment).filter((other) => other !== hostOf(address));
        if (host) return `${place} (for ${host} there is a token: \`export TFE_ADDRESS=https://${host}\` uses it)`;
        const { text = "", problem } = textIn(place, environment);
        if (problem !== undefined) return `${place} (which ${problem})`;
        const [, helper] =
            (isCliFile(place) && /\bcredentials_helper"?[\s:{]*"([^"]+)"/.exec(withoutComments(text))) || [];
        return helper === undefined ? place : `${place} (whose credentials_helper ${helper} is not run)`;
    });
}

/** The first of a field's places that has a value. @param address the address of the server, whose host selects the token */
export function findInProduct(...[service, field, address, environment]: Parameters<typeof productPlaces>) {
    const given = productPlaces(service, field, address, environment).map((place) => {
        return { values: { [field]: readPlace(place, environment, address) }, sourceOf: () => place };
    });
    return given.find(({ values }) => values[field] !== undefined);
}

/** The host of the token in a variable such as `TF_TOKEN_app_terraform_io`. */
const hostIn = (name: string) =>
    name.startsWith("TF_TOKEN_")
        ? hostOfLabel(name.slice("TF_TOKEN_".length).replace(/__/g, "-").replace(/_/g, "."))
        : undefined;

/** The hosts for which variables, or a file of Terraform, have a token. */
function tokenHosts(place: string, environment: NodeJS.ProcessEnv): string[] {
    if (place.startsWith("TF_TOKEN_"))
        return Object.keys(environment).flatMap((name) => (environment[name] && hostIn(name)) || []);
    return isCliFile(place) ? tokensIn(textIn(place, environment).text ?? "", place).map(([host]) => host) : [];
}

const isCliFile = (place: string) => [cliFile, ...Object.entries(cliFiles).flat()].includes(place);

/** The value of a setting in a variable or in a file. */
function readPlace(place: string, environment: NodeJS.ProcessEnv, address: string): string | undefined {
    const text = textIn(place, environment).text?.trim();
    if (!text) return undefined;
    if (hostNames.includes(place) && !text.includes("://")) return `https://${text}`;
    if (!isCliFile(place)) return text;
    return tokensIn(text, place).find(([host]) => host === hostOf(address))?.[1];
}

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : "");
/** A host as `hostOf` returns it: without regard to case. */
const hostOfLabel = (label: string) => hostOf(`https://${label}`);

/** The text of a variable, of a file in the home directory of the environment, or of the file that `TF_CLI_CONFIG_FILE` names. */
function textIn(place: string, environment: NodeJS.ProcessEnv): { text?: string | undefined; problem?: string } {
    const { [place]: value, HOME, USERPROFILE, APPDATA } = environment;
    const [, root, path = ""] = /^(~|%APPDATA%)\/(.+)/.exec(place) ?? [];
    if (root === undefined && place !== cliFile) return { text: value };
    // Loaded with the first file, because variables need none.
    const { atHome, readNamed } = require("./secret-source") as typeof SecretSource;
    const folder = root === "~" ? HOME || USERPROFILE : APPDATA;
    const file = root === undefined ? value && atHome(value, environment) : folder && join(folder, path);
    if (!file || !existsSync(file)) return {};
    const read = readNamed(file);
    return typeof read === "string" ? { problem: read } : { text: read.toString() };
}

/** The tokens in a file of Terraform by their hosts. It is JSON or HCL: `credentials "app.terraform.io" { token = "…" }`. */
function tokensIn(file: string, place: string): (readonly [host: string, token: string])[] {
    const text = file.trim();
    if (!text.startsWith("{")) {
        const blocks = withoutComments(text).matchAll(/\bcredentials\s+"([^"]*)"\s*\{((?:"[^"]*"|[^{}"]+)*)/g);
        return [...blocks].flatMap(([, label = "", block = ""]) => {
            const token = /\btoken\s*=\s*"([^"]*)"/.exec(block)?.[1];
            return token === undefined ? [] : [[hostOfLabel(label), token] as const];
        });
    }
    const parsed = fromJson(text);
    if (!isRecord(parsed)) {
        throw new ConfigError(place, `the file ${place} is not JSON`, "Repair it, or set the token in the settings");
    }
    const credentials = parsed["credentials"];
    const entries = isRecord(credentials) ? Object.entries(credentials) : [];
    return entries.flatMap(([label, entry]) => {
        const token = isRecord(entry) ? entry["token"] : undefined;
        return typeof token === "string" ? [[hostOfLabel(label), token] as const] : [];
    });
}

/** HCL without its comments. A sign of a comment inside quotes begins none. What has no end ends with the text, so that one pass is enough. */
const withoutComments = (text: string) =>
    text.replace(/("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$))|#[^\n]*|\/\/[^\n]*|\/\*.*?(?:\*\/|$)/gs, "$1");
