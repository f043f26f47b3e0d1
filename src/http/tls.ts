/** The TLS side of the settings: certificate authority, client certificate, another host name, and no verification. */

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type ConnectionOptions, createSecureContext, rootCertificates } from "node:tls";
import type { ConfigError } from "../errors";

/** The settings of TLS. */
export interface TlsSettings {
    readonly caFile?: string | undefined;
    readonly clientCertFile?: string | undefined;
    readonly clientKeyFile?: string | undefined;
    readonly tlsServerName?: string | undefined;
    readonly skipTlsVerify?: boolean | undefined;
}

/** Options of Node's TLS, with the contents of the files. */
export type TlsOptions = Pick<ConnectionOptions, "ca" | "cert" | "key" | "servername" | "rejectUnauthorized">;

/** `foreign`: for other origins, to which the service leads; they see no client certificate and are always verified. */
export interface Tls {
    readonly own: TlsOptions;
    readonly foreign: TlsOptions;
}

/** Makes the error for a setting that cannot be used. */
export type WrongSetting = (field: string, problem: string) => ConfigError;

/** Reads the files. @throws ConfigError */
export function readTls(settings: TlsSettings, wrong: WrongSetting): Tls {
    const attempt = <Result>(field: keyof TlsSettings, problem: string, work: () => Result): Result => {
        try {
            return work();
        } catch (error) {
            const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
            throw wrong(field, `${problem} (${code})`);
        }
    };
    const read = (field: "caFile" | "clientCertFile" | "clientKeyFile") => {
        const file = settings[field];
        if (file === undefined) return undefined;
        // The whole path: a relative one may start at another folder than its writer thought.
        const path = resolve(file);
        return attempt(field, `the file ${path} cannot be read`, () => readFileSync(path, "utf8"));
    };
    const [ca, cert] = [read("caFile"), read("clientCertFile")];
    const key = read("clientKeyFile") ?? cert;
    if (ca !== undefined) {
        attempt("caFile", "the file does not begin with a certificate in PEM form", () => new X509Certificate(ca));
    }
    if (cert === undefined && key !== undefined) throw wrong("clientKeyFile", "needs clientCertFile beside it");
    const pair = cert !== undefined && key !== undefined ? { cert, key } : undefined;
    if (pair !== undefined) {
        const problem = "the certificate and its key, in PEM form and not encrypted, cannot be used together";
        attempt("clientCertFile", problem, () => createSecureContext(pair));
    }
    return {
        own: {
            ...(ca !== undefined && { ca }),
            ...pair,
            ...(settings.tlsServerName !== undefined && { servername: settings.tlsServerName }),
            rejectUnauthorized: settings.skipTlsVerify !== true,
        },
        // A storage to which the service leads may have a certificate of the service's authority, or of a public one.
        foreign: { ...(ca !== undefined && { ca: [...publicAuthorities(), ca] }), rejectUnauthorized: true },
    };
}

/** Node trusts these and NODE_EXTRA_CA_CERTS by itself, but neither as soon as `ca` is set. Node has warned about a file that cannot be read. */
function publicAuthorities(): readonly string[] {
    try {
        return [...rootCertificates, readFileSync(process.env["NODE_EXTRA_CA_CERTS"] ?? "", "utf8")];
    } catch {
        return rootCertificates;
    }
}
