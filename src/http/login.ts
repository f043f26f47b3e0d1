/** The token of a client with `tokenFile` or `login`: the content of a file, or the result of a login. */

import { readFile } from "node:fs/promises";
import { cut } from "../core/redaction";
import type { Client, LoginToken } from "../core/service";
import { asStatecraftError, ServiceError, StatecraftError, textOf } from "../errors";
import { parsedObject } from "../schema/values";
import type { ClientContext } from "./client-context";

/** Where the requests of a client get a token that may change. */
export interface Tokens {
    /** The token for the next request. Logs in if there is none, or if it ends soon. @throws StatecraftError */
    current(signal: AbortSignal | undefined): Promise<string | undefined>;
    /** Whether to repeat a request that was refused with this token. Waits, or logs in once more. */
    refused(token: string | undefined, status: number, signal: AbortSignal | undefined): Promise<boolean>;
}

/** The claims of a JWT, whose signature is not verified. `undefined` for any other text. */
export const claimsIn = (jwt: string) => parsedObject(Buffer.from(jwt.split(".")[1] ?? "", "base64url"));

/** The tokens of a client with `tokenFile` or `login`. @param clientOf makes the client that sends the requests of a login */
export function createTokens(context: ClientContext, clientOf: () => Client): Tokens | undefined {
    const { clock, secrets, service, settings } = context;
    const { environment = {}, login = {}, notify, retryBaseDelay = 500, tokenFile } = settings;

    /** A secret in a file or in a variable. @throws StatecraftError if there is none */
    const secretIn = async (file: string | undefined, variable = "", hint?: string) => {
        const read = async () => (file === undefined ? environment[variable] : readFile(file, "utf8").catch(() => ""));
        // Some writers empty a file before they write it.
        const secret = (await read())?.trim() || (await clock.sleep(100).then(read))?.trim();
        const place = file === undefined ? `the variable ${variable}` : `the file ${file}`;
        if (!secret) throw new StatecraftError("login", `there is no credential in ${place}`, { hint });
        secrets.add(secret);
        return secret;
    };
    if (tokenFile !== undefined) return { current: () => secretIn(tokenFile), refused: async () => false };
    const { login: requests } = service;
    if (requests === undefined || settings.login === undefined) return undefined;

    const { jwtFile, jwtVariable, secretIdFile: file = jwtFile, secretIdVariable: variable = jwtVariable } = login;
    const name = `the login with ${JSON.stringify(login)}`;
    const client = clientOf();
    const issued: LoginToken[] = [];
    /** The token in use; in milliseconds of the wall clock, when it ends, and when it is replaced. */
    let last: { readonly value: string; readonly end: number; due: number } | undefined;
    let pending: Promise<void> | undefined;
    let isRepeated = false;
    /** The time on the clock until which a server may not know the token yet. */
    let unknownUntil = 0;

    const adviceOn = (problem: string) => requests.advice.find(([words]) => words.test(problem))?.[1];
    /** Logs in, or waits for the login that another request began. */
    const logIn = (signal: AbortSignal | undefined) => {
        pending ??= getToken(signal).finally(() => {
            pending = undefined;
        });
        return pending;
    };
    const getToken = async (signal: AbortSignal | undefined) => {
        const credential = await secretIn(file, variable, adviceOn("no credential"));
        const [operation, call] = requests.request(login, credential);
        const answer = client.call(operation, { ...call, ...(signal && { signal }) });
        const reading = answer.then((success) => requests.read(success, login));
        const token = await reading.catch((error: unknown) => {
            throw failure(asStatecraftError(error), credential);
        });
        const { lifetime, uses, value } = token;
        secrets.add(value);
        if (uses > 0) notify?.(`${name}: its token is good for only ${uses} requests. [login]`);
        if (clock.now() >= unknownUntil) unknownUntil = clock.now() + (requests.lag ?? 0);
        const [now, life] = [Date.now(), lifetime > 0 ? lifetime * 1000 : Number.POSITIVE_INFINITY];
        last = { value, end: now + life, due: now + (life * 2) / 3 };
        issued.push(token);
        settings.logins?.add(token, revokeTokens);
    };
    /** The error of a failed login, with the claims of the JWT. */
    const failure = (error: StatecraftError, credential: string) => {
        if (error.code === "cancelled") return error;
        const { iss, aud, sub, exp } = claimsIn(credential) ?? {};
        const rest = Math.round(Number(exp) - Date.now() / 1000);
        const validity = rest < 0 ? `expired ${-rest} s ago` : `is valid for ${rest} s`;
        const claims = Number.isNaN(rest) ? "" : `; the JWT with ${cut(JSON.stringify({ iss, aud, sub }))} ${validity}`;
        const isRefusal = error instanceof ServiceError && [400, 401, 403, 500].includes(error.status);
        const hint = isRefusal ? adviceOn(`${error.status}: ${error.reasons.join("; ")}`) : error.hint;
        return new StatecraftError("login", `${name} failed: ${error.message}${claims}`, { hint });
    };
    const revokeTokens = () => {
        const signal = AbortSignal.timeout(1000);
        last = undefined;
        const revocations = issued.splice(0).flatMap(({ revocation }) => (revocation ? [revocation] : []));
        return Promise.allSettled(revocations.map(([operation, call]) => client.call(operation, { ...call, signal })));
    };
    return {
        async current(signal) {
            const before = last;
            if (before === undefined || Date.now() >= before.end) await logIn(signal);
            else if (Date.now() >= before.due) {
                await logIn(signal).catch((error: unknown) => {
                    if (before.due < before.end) notify?.(`The token is used until it ends: ${textOf(error)}`);
                    before.due = before.end;
                });
            }
            return last?.value;
        },
        async refused(token, status, signal) {
            const rest = unknownUntil - clock.now();
            if (signal?.aborted) return false;
            if (status === 403 && rest > 0) {
                await clock.sleep(Math.min(rest, retryBaseDelay * (1 + clock.random())), signal);
                return true;
            }
            if (token === last?.value && !isRepeated) {
                isRepeated = true;
                logIn(signal).catch((error: unknown) => notify?.(textOf(error)));
            }
            await pending?.catch(() => undefined);
            return token !== last?.value;
        },
    };
}
