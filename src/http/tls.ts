/** The TLS side of the settings: own certificate authority, client certificate, and leaving out the check. */

import { readFileSync } from "node:fs";
import { createSecureContext, rootCertificates } from "node:tls";
import type { Service } from "../core/service";
import { type Place, wrongSetting } from "./wrong-setting";

/** What may be set. */
export interface TlsSettings extends Place {
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
        throw wrongSetting(service, settings, "clientKeyFile", "needs clientCertFile beside it");
    if (cert !== undefined && key !== undefined) checkPair(service, settings, cert, key);
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
        const problem = `the file ${file} cannot be read (${codeOf(error)})`;
        throw wrongSetting(service, settings, field, problem, "Correct the path, or leave the setting out");
    }
    if (text.includes("-----BEGIN ")) return text;
    throw wrongSetting(service, settings, field, `the file ${file} is not in PEM form`, "Name a file in PEM form");
}

function checkPair(service: Service, settings: TlsSettings, cert: string, key: string): void {
    try {
        createSecureContext({ cert, key });
    } catch (error) {
        const problem = `the certificate and its key cannot be used together (${codeOf(error)})`;
        throw wrongSetting(service, settings, "clientCertFile", problem, "Name the two files of one pair");
    }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown reason");
