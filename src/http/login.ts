/** The tokens of a client: that of the settings, of a file that may change, or of logins. */

import { cut } from "../core/redaction";
import type { Answer, Client, Login, LoginRequests, LoginToken } from "../core/service";
import { AnswerError, asStatecraftError, ServiceError, StatecraftError, sentencesOf, textOf } from "../errors";
import { parsedObject } from "../schema/values";
import { readSecret, type SecretKind, type SecretSource } from "../settings/secret-source";
import type { ClientContext } from "./client-context";
import type { Tokens } from "./request";

/** The claims of a JWT, whose signature is not verified. `undefined` for any other text. */
export const claimsIn = (jwt: string) => parsedObject(Buffer.from(jwt.split(".")[1] ?? "", "base64url"));

/** The tokens of a client. @param clientOf makes the client that sends the requests of a login */
export function createTokens(context: ClientContext, clientOf: () => Client): Tokens {
    const { service, settings } = context;
    const { login, token, tokenFile } = settings;
    const refused = async () => false;
    if (tokenFile !== undefined) {
        return { current: (signal) => credentialIn(context, { file: tokenFile }, "token", signal), refused };
    }
    if (login === undefined || service.login === undefined) return { current: async () => token, refused };
    return new LoginTokens(context, login, service.login, clientOf());
}

/** Reads a credential of the settings before each use, because its file may change. @throws StatecraftError */
async function credentialIn(
    { clock, secrets, settings }: ClientContext,
    source: SecretSource,
    kind: SecretKind,
    signal: AbortSignal | undefined,
    advice?: string,
): Promise<string> {
    const { environment = {}, timeout = 60 } = settings;
    const timer = new AbortController();
    const stop = clock.timer(timeout * 1000, () => timer.abort());
    const ends = signal ? AbortSignal.any([signal, timer.signal]) : timer.signal;
    const pause = () => clock.sleep(100, ends);
    const reading = readSecret(source, { kind, environment, signal: ends, pause, advice }).finally(stop);
    const secret = await reading.catch((error: unknown) => {
        throw signal?.aborted ? asStatecraftError(error).reword({ code: "cancelled" }) : error;
    });
    secrets.add(secret);
    return secret;
}

/**
 * The tokens of a client whose settings have a `login`. Requests that need a login at the same time share one.
 *
 * | the token of the last login  | `current`: before a request                                     | `refused`: after a 401 or 403             |
 * | ---------------------------- | --------------------------------------------------------------- | ----------------------------------------- |
 * | none yet, or it has ended    | logs in                                                         | –                                         |
 * | issued less than `lag` ago   | returns it                                                      | of a 403: waits, and repeats the request  |
 * | in its first two thirds      | returns it                                                      | logs in, once for a client, and repeats   |
 * | in its last third            | logs in; if that fails, returns it, and warns the first time    | logs in, once for a client, and repeats   |
 * | another than that refused    | –                                                               | repeats                                   |
 */
class LoginTokens implements Tokens {
    /** Times are those of the clock: when the token ends, and when it is replaced. */
    private last: { readonly value: string; readonly end: number; due: number } | undefined;
    private readonly issued: LoginToken[] = [];
    private pending: Promise<void> | undefined;
    private isRepeated = false;
    /** The time until which a server may not know the token yet. */
    private unknownUntil = 0;

    constructor(
        private readonly context: ClientContext,
        private readonly login: Login,
        private readonly requests: LoginRequests,
        private readonly client: Client,
    ) {}

    private get name(): string {
        return `the login with ${JSON.stringify(this.login)}`;
    }

    async current(signal: AbortSignal | undefined): Promise<string | undefined> {
        const { last } = this;
        const { clock, settings, title } = this.context;
        const now = clock.now();
        if (last === undefined || now >= last.end) await this.logIn(signal);
        else if (now >= last.due) {
            await this.logIn(signal).catch((error: unknown) => {
                const failure = asStatecraftError(error);
                const text = `${title}: ${sentencesOf(failure)} Requests use the token of the last login until it ends`;
                if (last.due < last.end) settings.notify?.(`${text}. [${failure.code}]`);
                last.due = last.end;
            });
        }
        return this.last?.value;
    }

    async refused(token: string | undefined, status: number, signal: AbortSignal | undefined): Promise<boolean> {
        const { clock, settings } = this.context;
        const { retryBaseDelay = 500 } = settings;
        const rest = this.unknownUntil - clock.now();
        if (signal?.aborted) return false;
        if (status === 403 && rest > 0) {
            await clock.sleep(Math.min(rest, retryBaseDelay * (1 + clock.random())), signal);
            return true;
        }
        if (token === this.last?.value && !this.isRepeated) {
            this.isRepeated = true;
            this.logIn(signal).catch((error: unknown) => settings.notify?.(textOf(error)));
        }
        await this.pending?.catch(() => undefined);
        return token !== this.last?.value;
    }

    /** Logs in, or waits for the login that another request began. */
    private logIn(signal: AbortSignal | undefined): Promise<void> {
        this.pending ??= this.getToken(signal).finally(() => {
            this.pending = undefined;
        });
        return this.pending;
    }

    private async getToken(signal: AbortSignal | undefined): Promise<void> {
        const { login, requests, client } = this;
        const { clock, secrets, settings } = this.context;
        const { jwtFile, jwtVariable, secretIdFile: file = jwtFile, secretIdVariable: variable = jwtVariable } = login;
        const kind = login["roleId"] === undefined ? "jwt" : "secretId";
        const advice = this.adviceOn("no credential");
        const credential = await credentialIn(this.context, { file, variable }, kind, signal, advice);
        const [operation, call] = requests.request(login, credential);
        const answer = client.call(operation, { ...call, ...(signal && { signal }) });
        const reading = answer.then((success) => this.usable(success));
        const token = await reading.catch((error: unknown) => {
            throw this.failure(asStatecraftError(error), credential);
        });
        const { lifetime, uses, value } = token;
        secrets.add(value);
        if (uses > 0) settings.notify?.(`${this.name}: its token is good for only ${uses} requests. [login]`);
        const now = clock.now();
        if (now >= this.unknownUntil) this.unknownUntil = now + (requests.lag ?? 0);
        const life = lifetime > 0 ? lifetime * 1000 : Number.POSITIVE_INFINITY;
        this.last = { value, end: now + life, due: now + (life * 2) / 3 };
        this.issued.push(token);
        settings.logins?.add(token, this.revokeTokens);
    }

    /** The token in the answer to a login. @throws AnswerError for a token that cannot be used, which is revoked */
    private async usable(answer: Answer): Promise<LoginToken> {
        const token = this.requests.read(answer, this.login);
        if (!token.problem) return token;
        this.context.secrets.add(token.value);
        await this.revoke([token]);
        throw new AnswerError(answer.exchange, token.problem);
    }

    /** The error of a failed login, with the claims of the JWT. */
    private failure(error: StatecraftError, credential: string): StatecraftError {
        if (error.code === "cancelled") return error;
        const { iss, aud, sub, exp } = claimsIn(credential) ?? {};
        const rest = Math.round(Number(exp) - this.context.clock.date() / 1000);
        const validity = rest < 0 ? `expired ${-rest} s ago` : `is valid for ${rest} s`;
        const claims = Number.isNaN(rest) ? "" : `; the JWT with ${cut(JSON.stringify({ iss, aud, sub }))} ${validity}`;
        const isRefusal = error instanceof ServiceError && [400, 401, 403, 500].includes(error.status);
        const hint = isRefusal ? this.adviceOn(`${error.status}: ${error.reasons.join("; ")}`) : error.hint;
        return new StatecraftError("login", `${this.name} failed: ${error.message}${claims}`, { hint });
    }

    private readonly adviceOn = (problem: string) => this.requests.advice.find(([words]) => words.test(problem))?.[1];

    /** Revokes all tokens. A property, because `ClientSettings.logins` recognizes a client by it. */
    private readonly revokeTokens = () => {
        this.last = undefined;
        return this.revoke(this.issued.splice(0));
    };

    private revoke(tokens: readonly LoginToken[]): Promise<unknown> {
        const signal = AbortSignal.timeout(1000);
        const revocations = tokens.flatMap(({ revocation }) => (revocation ? [revocation] : []));
        return Promise.allSettled(
            revocations.map(([operation, call]) => this.client.call(operation, { ...call, signal })),
        );
    }
}
