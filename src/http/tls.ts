/** The TLS side of the settings: own certificate authority, client certificate, and leaving out the check. */

import { readFileSync } from "node:fs";
import { createSecureContext, rootCertificates } from "node:tls";
import type { Service } from "../core/service";
import { ConfigError } from "../errors";

/** What may be set. */
export interface TlsSettings {
    readonly caFile?: string | undefined;
    readonly clientCertFile?: string | undefined;
    readonly clientKeyFile?: string | undefined;
    readonly skipTlsVerify?: boolean | undefined;
}

/** Options of Node's TLS, with the contents of the files. */
export interface TlsOptions {
    readonly ca?: string | string[];
    readonly cert?: string;
    readonly key?: string;
    readonly rejectUnauthorized: boolean;
}

/** For the service's own origin and for all others, which see no client certificate and are always verified. */
export interface Tls {
    readonly own: TlsOptions;
    readonly foreign: TlsOptions;
}

/** Reads the files. @throws ConfigError */
export function readTls(service: Service, settings: TlsSettings): Tls {
    const read = (field: "caFile" | "clientCertFile" | "clientKeyFile") => readPem(service, settings, field);
    const [ca, cert] = [read("caFile"), read("clientCertFile")];
    const key = read("clientKeyFile") ?? cert;
    if (cert === undefined && key !== undefined)
        throw wrong(service, "clientKeyFile", "needs clientCertFile beside it");
    if (cert !== undefined && key !== undefined) checkPair(service, cert, key);
    return {
        own: {
            ...(ca === undefined ? {} : { ca }),
            ...(cert === undefined || key === undefined ? {} : { cert, key }),
            rejectUnauthorized: settings.skipTlsVerify !== true,
        },
        // Storage that a service points to may stand under the same authority or under a public one.
        foreign: { ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }), rejectUnauthorized: true },
    };
}

function readPem(service: Service, settings: TlsSettings, field: keyof TlsSettings & `${string}File`) {
    const file = settings[field];
    if (file === undefined) return undefined;
    let text: string;
    try {
        text = readFileSync(file, "utf8");
    } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
        throw wrong(service, field, `the file ${file} cannot be read (${code})`);
    }
    if (!text.includes("-----BEGIN ")) throw wrong(service, field, `the file ${file} is not in PEM form`);
    return text;
}

function checkPair(service: Service, cert: string, key: string): void {
    try {
        createSecureContext({ cert, key });
    } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
        throw wrong(service, "clientCertFile", `the certificate and its key cannot be used together (${code})`);
    }
}

function wrong(service: Service, field: keyof TlsSettings, problem: string): ConfigError {
    const setting = `statecraft:${service.name}.${field}`;
    return new ConfigError(setting, `${setting}: ${problem}`);
}
