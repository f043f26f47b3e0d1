/** Settings that the products' own tools keep: they are used after ours, unless the settings are those of a server of the documents. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceName } from "../core/service";
import { ConfigError } from "../errors";

/** Where a product's tools keep settings. */
interface ProductSettings {
    /** Environment variables by the names of our fields. */
    readonly variables: Readonly<Record<string, string>>;
    /** A file in the home directory that holds the token. */
    readonly tokenFile?: string;
}

const products: Readonly<Record<ServiceName, ProductSettings>> = {
    manager: {
        variables: {
            address: "VAULT_ADDR",
            token: "VAULT_TOKEN",
            namespace: "VAULT_NAMESPACE",
            caFile: "VAULT_CACERT",
            clientCertFile: "VAULT_CLIENT_CERT",
            clientKeyFile: "VAULT_CLIENT_KEY",
            tlsServerName: "VAULT_TLS_SERVER_NAME",
            skipTlsVerify: "VAULT_SKIP_VERIFY",
        },
        tokenFile: ".vault-token",
    },
    volumes: {
        variables: {
            address: "NOMAD_ADDR",
            token: "NOMAD_TOKEN",
            namespace: "NOMAD_NAMESPACE",
            region: "NOMAD_REGION",
            caFile: "NOMAD_CACERT",
            clientCertFile: "NOMAD_CLIENT_CERT",
            clientKeyFile: "NOMAD_CLIENT_KEY",
            tlsServerName: "NOMAD_TLS_SERVER_NAME",
            skipTlsVerify: "NOMAD_SKIP_VERIFY",
        },
    },
    stateVersions: { variables: { address: "TFE_ADDRESS", token: "TFE_TOKEN" } },
};

const hostName = "TFE_HOSTNAME";
const credentialsFile = ".terraform.d/credentials.tfrc.json";

/** A value, and where it was found. */
export interface Found {
    readonly value: string;
    readonly source: string;
}

/** Finds one field of a service's settings. `address` is the one in use: Terraform's tools keep tokens by host. */
export function findProductSetting(
    service: ServiceName,
    field: string,
    environment: NodeJS.ProcessEnv,
    address: string | undefined,
): Found | undefined {
    const { variables, tokenFile } = products[service];
    const found = inVariable(variables[field], environment);
    if (found) return found;
    if (field === "token" && tokenFile) {
        const value = readHome(environment, tokenFile)?.trim();
        return value ? { value, source: `~/${tokenFile}` } : undefined;
    }
    if (service !== "stateVersions") return undefined;
    if (field === "token") return tokenOfHost(environment, hostOf(address));
    const host = field === "address" ? inVariable(hostName, environment) : undefined;
    return host && { ...host, value: `https://${host.value}` };
}

/** Where a setting is looked for after ours, in order, for the message that it was not found. */
export function productPlaces(service: ServiceName, field: string, address: string | undefined): string[] {
    const { variables, tokenFile } = products[service];
    const places = variables[field] ? [variables[field]] : [];
    if (field === "token" && tokenFile) places.push(`the file ~/${tokenFile}`);
    if (service !== "stateVersions") return places;
    if (field === "address") return [...places, hostName];
    const host = hostOf(address);
    return [...places, ...(host ? [hostVariable(host)] : []), `${host ?? "the host"} in the file ~/${credentialsFile}`];
}

function inVariable(name: string | undefined, environment: NodeJS.ProcessEnv): Found | undefined {
    const value = name && environment[name]?.trim();
    return name && value ? { value, source: name } : undefined;
}

function tokenOfHost(environment: NodeJS.ProcessEnv, host: string | undefined): Found | undefined {
    if (!host) return undefined;
    const found = inVariable(hostVariable(host), environment);
    if (found) return found;
    const source = `~/${credentialsFile}`;
    const text = readHome(environment, credentialsFile);
    const value = text && tokenIn(text, host, source);
    return value ? { value, source } : undefined;
}

/** A file below the home directory of the process that has this environment. */
function readHome({ HOME, USERPROFILE }: NodeJS.ProcessEnv, path: string): string | undefined {
    const home = HOME || USERPROFILE;
    if (!home) return undefined;
    try {
        return readFileSync(join(home, path), "utf8");
    } catch {
        return undefined;
    }
}

function hostOf(address: string | undefined): string | undefined {
    return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}

/** Variables cannot hold all characters of host names: `_` stands for a dot, `__` for a hyphen. */
const hostVariable = (host: string) => `TF_TOKEN_${host.replace(/-/g, "__").replace(/[^\w]/g, "_")}`;

function tokenIn(text: string, host: string, file: string): string | undefined {
    let parsed: unknown;
    try {
        parsed = JSON.parse(text);
    } catch {
        throw new ConfigError(file, `the file ${file} is not JSON`, "Repair it, or set the token in the settings");
    }
    const token = entry(entry(entry(parsed, "credentials"), host), "token");
    return typeof token === "string" ? token : undefined;
}

function entry(value: unknown, name: string): unknown {
    return typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined;
}
