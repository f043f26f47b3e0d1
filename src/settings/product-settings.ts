/**
 * The environment variables and files in which the tools of Vault, Nomad and HCP Terraform find their settings.
 * Settings of statecraft take precedence. Servers that use the names of the API documents get nothing from these places.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceName } from "../core/service";
import { ConfigError } from "../errors";
import { isRecord } from "../schema/values";
import { fromJson } from "./settings-schema";

const credentialsFile = "~/.terraform.d/credentials.tfrc.json";
const hostVariable = "TF_TOKEN_<host>";
const hostName = "TFE_HOSTNAME";

/** Variables and files of each setting. The first that has a value is used. */
const places: Readonly<Record<string, Partial<Record<ServiceName, readonly string[]>>>> = {
    address: { manager: ["VAULT_ADDR"], volumes: ["NOMAD_ADDR"], stateVersions: ["TFE_ADDRESS", hostName] },
    token: {
        manager: ["VAULT_TOKEN", "~/.vault-token"],
        volumes: ["NOMAD_TOKEN"],
        stateVersions: ["TFE_TOKEN", hostVariable, credentialsFile],
    },
    namespace: { manager: ["VAULT_NAMESPACE"], volumes: ["NOMAD_NAMESPACE"] },
    region: { volumes: ["NOMAD_REGION"] },
    caFile: { manager: ["VAULT_CACERT"], volumes: ["NOMAD_CACERT"] },
    clientCertFile: { manager: ["VAULT_CLIENT_CERT"], volumes: ["NOMAD_CLIENT_CERT"] },
    clientKeyFile: { manager: ["VAULT_CLIENT_KEY"], volumes: ["NOMAD_CLIENT_KEY"] },
    tlsServerName: { manager: ["VAULT_TLS_SERVER_NAME"], volumes: ["NOMAD_TLS_SERVER_NAME"] },
    skipTlsVerify: { manager: ["VAULT_SKIP_VERIFY"], volumes: ["NOMAD_SKIP_VERIFY"] },
};

/** The places of one field, the first to be used first. Terraform's tools store tokens by the host of the `address`. */
export function productPlaces(service: ServiceName, field: string, address: string): string[] {
    return (places[field]?.[service] ?? []).map((place) => (place === hostVariable ? tokenVariable(address) : place));
}

/** The variable of the token for the host of an address. A variable's name cannot contain dots and hyphens. */
const tokenVariable = (address: string) => `TF_TOKEN_${hostOf(address).replace(/-/g, "__").replace(/[^\w]/g, "_")}`;

/** The first of a field's places that has a value. @param address the address of the server, whose host selects the token */
export function findInProduct(service: ServiceName, field: string, address: string, environment: NodeJS.ProcessEnv) {
    const given = productPlaces(service, field, address).map((place) => {
        return { values: { [field]: readPlace(place, environment, address) }, sourceOf: () => place };
    });
    return given.find(({ values }) => values[field] !== undefined);
}

/** The value of a setting in a variable, or in a file in the home directory of the environment. */
function readPlace(place: string, environment: NodeJS.ProcessEnv, address: string): string | undefined {
    const text = (place.startsWith("~/") ? textOf(place, environment) : environment[place])?.trim();
    if (!text) return undefined;
    if (place === hostName) return `https://${text}`;
    return place === credentialsFile ? tokenOf(hostOf(address), text) : text;
}

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : "");

function textOf(path: string, { HOME, USERPROFILE }: NodeJS.ProcessEnv): string | undefined {
    const home = HOME || USERPROFILE;
    try {
        return home && readFileSync(join(home, path.slice(2)), "utf8");
    } catch {
        return undefined;
    }
}

function tokenOf(host: string, text: string): string | undefined {
    const parsed = fromJson(text);
    if (!isRecord(parsed)) {
        const problem = `the file ${credentialsFile} is not JSON`;
        throw new ConfigError(credentialsFile, problem, "Repair it, or set the token in the settings");
    }
    const credentials = parsed["credentials"];
    const entry = isRecord(credentials) && Object.hasOwn(credentials, host) ? credentials[host] : undefined;
    return isRecord(entry) && typeof entry["token"] === "string" ? entry["token"] : undefined;
}
