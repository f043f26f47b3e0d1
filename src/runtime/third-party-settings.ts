/** Settings that the products' own tools keep: what is honoured after ours in the vocabulary `product`. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceName } from "../core/service";
import { ConfigError } from "../errors";

/** Where a product's own tools keep their settings. */
interface ThirdPartySettings {
    /** Environment variables by our names of the settings. */
    readonly variables: Readonly<Record<string, string>>;
    /** A variable that holds a host name, from which the address is made. */
    readonly addressHost?: string;
    /** What an address without a path is continued with. */
    readonly path: string;
    /** A file in the home directory that holds the token. */
    readonly tokenFile?: string;
    /** A file in the home directory that holds tokens by host, and what a variable for one host begins with. */
    readonly credentialsFile?: string;
    readonly hostTokenPrefix?: string;
}

const tools: Readonly<Record<ServiceName, ThirdPartySettings>> = {
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
        path: "",
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
        path: "",
    },
    stateVersions: {
        variables: { address: "TFE_ADDRESS", token: "TFE_TOKEN" },
        addressHost: "TFE_HOSTNAME",
        path: "/api/v2",
        credentialsFile: ".terraform.d/credentials.tfrc.json",
        hostTokenPrefix: "TF_TOKEN_",
    },
};

/** A file below the home directory of the process that has this environment, or `undefined` where there is none. */
function readHome({ HOME, USERPROFILE }: NodeJS.ProcessEnv, path: string): string | undefined {
    const home = HOME || USERPROFILE;
    if (!home) return undefined;
    try {
        return readFileSync(join(home, path), "utf8");
    } catch {
        return undefined;
    }
}

/** A value, and where it was found. */
export interface Found {
    readonly value: string;
    readonly source: string;
}

/** Finds one setting of a service by our name of it. `address` is the one in use: some keep tokens by host. */
export function findThirdPartySetting(
    service: ServiceName,
    field: string,
    environment: NodeJS.ProcessEnv,
    address: string | undefined,
): Found | undefined {
    const { variables, addressHost, path } = tools[service];
    const found = inVariable(variables[field], environment);
    if (field === "token") return found ?? findToken(service, environment, hostOf(address));
    if (field !== "address") return found;
    const host = inVariable(addressHost, environment);
    const whole = found ?? (host && { ...host, value: `https://${host.value}` });
    return whole && { ...whole, value: continued(whole.value, path) };
}

function inVariable(name: string | undefined, environment: NodeJS.ProcessEnv): Found | undefined {
    const value = name && environment[name]?.trim();
    return name && value ? { value, source: name } : undefined;
}

function findToken(service: ServiceName, environment: NodeJS.ProcessEnv, host: string | undefined): Found | undefined {
    const { tokenFile, credentialsFile, hostTokenPrefix } = tools[service];
    const ofHost = hostTokenPrefix && host && inVariable(hostVariable(hostTokenPrefix, host), environment);
    if (ofHost) return ofHost;
    const whole = tokenFile && readHome(environment, tokenFile)?.trim();
    if (tokenFile && whole) return { value: whole, source: `~/${tokenFile}` };
    if (!credentialsFile || !host) return undefined;
    const source = `~/${credentialsFile}`;
    const text = readHome(environment, credentialsFile);
    const token = text && tokenIn(text, host, source);
    return token ? { value: token, source } : undefined;
}

/** Where a setting is looked for after ours, in order, for the message that it is nowhere. */
export function thirdPartyPlaces(service: ServiceName, field: string, address: string | undefined): string[] {
    const { variables, addressHost, tokenFile, credentialsFile, hostTokenPrefix } = tools[service];
    const host = hostOf(address);
    const ofTokens = [
        ...(hostTokenPrefix && host ? [hostVariable(hostTokenPrefix, host)] : []),
        ...(tokenFile ? [`the file ~/${tokenFile}`] : []),
        ...(credentialsFile ? [`${host ?? "the host"} in the file ~/${credentialsFile}`] : []),
    ];
    return [
        ...(variables[field] ? [variables[field]] : []),
        ...(field === "address" && addressHost ? [addressHost] : []),
        ...(field === "token" ? ofTokens : []),
    ];
}

function continued(address: string, path: string): string {
    return URL.canParse(address) && new URL(address).pathname === "/" ? address.replace(/\/*$/, path) : address;
}

function hostOf(address: string | undefined): string | undefined {
    return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}

/** Variables cannot hold the signs of host names: `_` stands for a dot, `__` for a hyphen. */
function hostVariable(prefix: string, host: string): string {
    return prefix + host.replace(/-/g, "__").replace(/[^\w]/g, "_");
}

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
