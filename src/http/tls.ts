/** The TLS side of the settings: own certificate authority, client certificate, another host name, and leaving out the check. */

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createSecureContext, rootCertificates } from "node:tls";
import type { Service } from "../core/service";
import { type Place, wrongSetting } from "./wrong-setting";

/** What may be set. */
export interface TlsSettings extends Place {
    readonly caFile?: string | undefined;
    readonly clientCertFile?: string | undefined;
    readonly clientKeyFile?: string | undefined;
    readonly tlsServerName?: string | undefined;
    readonly skipTlsVerify?: boolean | undefined;
}

/** Options of Node's TLS, with the contents of the files. */
export interface TlsOptions {
    readonly ca?: string | string[];
    readonly cert?: string;
    readonly key?: string;
    readonly servername?: string;
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
    const { tlsServerName: servername } = settings;
    if (ca !== undefined) checkAuthorities(service, settings, ca);
    if (cert === undefined && key !== undefined)
        throw wrongSetting(service, settings, "clientKeyFile", "needs clientCertFile beside it");
    if (cert !== undefined && key !== undefined) checkPair(service, settings, cert, key);
    return {
        own: {
            ...(ca === undefined ? {} : { ca }),
            ...(cert === undefined || key === undefined ? {} : { cert, key }),
            ...(servername === undefined ? {} : { servername }),
            rejectUnauthorized: settings.skipTlsVerify !== true,
        },
        // Storage that a service points to may stand under the same authority or under a public one.
        foreign: { ...(ca === undefined ? {} : { ca: [...publicAuthorities(), ca] }), rejectUnauthorized: true },
    };
}

/** What Node trusts by itself, and no more as soon as it is given anything else. A file that cannot be read it has warned of. */
function publicAuthorities(): readonly string[] {
    const file = process.env["NODE_EXTRA_CA_CERTS"];
    if (!file) return rootCertificates;
    try {
        return [...rootCertificates, readFileSync(file, "utf8")];
    } catch {
        return rootCertificates;
    }
}

function readPem(service: Service, settings: TlsSettings, field: keyof TlsSettings & `${string}File`) {
    const file = settings[field];
    if (file === undefined) return undefined;
    // Whole: a name can be relative to another folder than its writer thought.
    const place = resolve(file);
    let text: string;
    try {
        text = readFileSync(place, "utf8");
    } catch (error) {
        const problem = `the file ${place} cannot be read (${codeOf(error)})`;
        throw wrongSetting(service, settings, field, problem, "Correct the path, or leave the setting out");
    }
    if (text.includes("-----BEGIN ")) return text;
    throw wrongSetting(service, settings, field, `the file ${place} is not in PEM form`, "Name a file in PEM form");
}

/** Node takes the certificates up to the first one that it cannot read, or none, and says nothing. */
function checkAuthorities(service: Service, settings: TlsSettings, text: string): void {
    const wrong = (problem: string) =>
        wrongSetting(service, settings, "caFile", problem, "Name a file of certificates in PEM form");
    const certificates = text.split(/(?=-----BEGIN )/).filter((part) => /^-----BEGIN [^-]*CERTIFICATE-----/.test(part));
    if (certificates.length === 0) throw wrong("the file holds no certificate");
    try {
        for (const certificate of certificates) new X509Certificate(certificate);
    } catch (error) {
        throw wrong(`the file holds a certificate that cannot be read (${codeOf(error)})`);
    }
}

function checkPair(service: Service, settings: TlsSettings, cert: string, key: string): void {
    const wrong = (problem: string, hint: string) => wrongSetting(service, settings, "clientCertFile", problem, hint);
    if (!key.includes("PRIVATE KEY-----")) throw wrong("its key is missing", "Name the key's file in `clientKeyFile`");
    if (key.includes("ENCRYPTED")) throw wrong("its key is encrypted", "Name a file whose key is not encrypted");
    try {
        createSecureContext({ cert, key });
    } catch (error) {
        const problem = `the certificate and its key cannot be used together (${codeOf(error)})`;
        throw wrong(problem, "Name the two files of one pair");
    }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown reason");
