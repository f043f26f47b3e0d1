/** The places in which the products' own tools keep settings. Ours come first, and a server of the documents gets nothing from here. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceName } from "../core/service";
import { ConfigError } from "../errors";
import { isRecord } from "../schema/values";
import { fromJson } from "./settings-schema";

/** A variable or a file that may hold one setting. */
export interface ProductPlace {
    /** How messages call it. */
    readonly name: string;
    read(environment: NodeJS.ProcessEnv): string | undefined;
}

const variables: Readonly<Record<string, Partial<Record<ServiceName, string>>>> = {
    address: { manager: "VAULT_ADDR", volumes: "NOMAD_ADDR", stateVersions: "TFE_ADDRESS" },
    token: { manager: "VAULT_TOKEN", volumes: "NOMAD_TOKEN", stateVersions: "TFE_TOKEN" },
    namespace: { manager: "VAULT_NAMESPACE", volumes: "NOMAD_NAMESPACE" },
    region: { volumes: "NOMAD_REGION" },
    caFile: { manager: "VAULT_CACERT", volumes: "NOMAD_CACERT" },
    clientCertFile: { manager: "VAULT_CLIENT_CERT", volumes: "NOMAD_CLIENT_CERT" },
    clientKeyFile: { manager: "VAULT_CLIENT_KEY", volumes: "NOMAD_CLIENT_KEY" },
    tlsServerName: { manager: "VAULT_TLS_SERVER_NAME", volumes: "NOMAD_TLS_SERVER_NAME" },
    skipTlsVerify: { manager: "VAULT_SKIP_VERIFY", volumes: "NOMAD_SKIP_VERIFY" },
};

/** The places of one field, in the order in which they count. Terraform's tools keep tokens by the host of the `address`. */
export function productPlaces(service: ServiceName, field: string, address: string | undefined): ProductPlace[] {
    const name = variables[field]?.[service];
    const places = name === undefined ? [] : [variable(name)];
    if (service === "manager" && field === "token") places.push(inHome(".vault-token", (text) => text.trim()));
    if (service !== "stateVersions") return places;
    if (field === "address") places.push(variable("TFE_HOSTNAME", (host) => `https://${host}`));
    if (field === "token" && address !== undefined && URL.canParse(address)) {
        const { host } = new URL(address);
        // Names of variables cannot contain dots and hyphens.
        const ofHost = `TF_TOKEN_${host.replace(/-/g, "__").replace(/[^\w]/g, "_")}`;
        places.push(
            variable(ofHost),
            inHome(".terraform.d/credentials.tfrc.json", (text, file) => tokenOf(host, text, file)),
        );
    }
    return places;
}

function variable(name: string, asSetting = (text: string) => text): ProductPlace {
    return {
        name,
        read(environment) {
            const text = environment[name]?.trim();
            return text ? asSetting(text) : undefined;
        },
    };
}

/** A file below the home directory of the process that has the environment. */
function inHome(path: string, settingIn: (text: string, file: string) => string | undefined): ProductPlace {
    const name = `~/${path}`;
    return {
        name,
        read({ HOME, USERPROFILE }) {
            const home = HOME || USERPROFILE;
            if (!home) return undefined;
            let text: string;
            try {
                text = readFileSync(join(home, path), "utf8");
            } catch {
                return undefined;
            }
            return settingIn(text, name) || undefined;
        },
    };
}

function tokenOf(host: string, text: string, file: string): string | undefined {
    const parsed = fromJson(text);
    if (!isRecord(parsed))
        throw new ConfigError(file, `the file ${file} is not JSON`, "Repair it, or set the token in the settings");
    const credentials = parsed["credentials"];
    const entry = isRecord(credentials) && Object.hasOwn(credentials, host) ? credentials[host] : undefined;
    return isRecord(entry) && typeof entry["token"] === "string" ? entry["token"] : undefined;
}
