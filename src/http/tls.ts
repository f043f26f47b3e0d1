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

/** Reads the files. `wrong` makes the error for a setting that cannot be used. @throws ConfigError */
export function readTls(settings: TlsSettings, wrong: (field: string, problem: string) => ConfigError): Tls {
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
    if (cert === undefined && key !== undefined) throw wrong("clientKeyFile", "needs clientCertFile beside it");
    const noCertificate = "the file does not begin with a certificate in PEM form";
    attempt("caFile", noCertificate, () => ca !== undefined && new X509Certificate(ca));
    const noPair = "the certificate and its key, in PEM form and not encrypted, cannot be used together";
    attempt("clientCertFile", noPair, () => cert !== undefined && createSecureContext({ cert, key }));
    return {
        own: { ca, cert, key, servername: settings.tlsServerName, rejectUnauthorized: settings.skipTlsVerify !== true },
        // A storage to which the service leads may have a certificate of the service's authority, or of a public one.
        foreign: { ca: ca === undefined ? undefined : [...rootCertificates, ca], rejectUnauthorized: true },
    };
}
