/** The tokens of a client: that of the settings, of a file that may change, or of logins. */

import { cut } from "../core/redaction";
import type { Answer, Client, Login, LoginRequests, LoginToken, Server } from "../core/service";
import { AnswerError, asStatecraftError, ServiceError, StatecraftError, sentencesOf } from "../errors";
import type { SecretSource } from "../schema/secret-sources";
import { parsedObject } from "../schema/values";
import { readSecret, type SecretKind } from "../settings/secret-source";
import type { ClientContext, ClientSettings } from "./client-context";
import { jobToken } from "./job-token";
import type { Tokens } from "./request";

/** The claims of a JWT, whose signature is not verified. `undefined` for any other text. */
export const claimsIn = (jwt: string) => parsedObject(Buffer.from(jwt.split(".")[1] ?? "", "base64url"));

/** The time at which a JWT begins to be valid, in milliseconds. 0: it does not say. */
function beginOf(jwt: string): number {
    const { nbf, iat } = claimsIn(jwt) ?? {};
    return Math.max(...[nbf, iat].map((time) => Number(time) || 0)) * 1000;
}

/** The tokens of a client. @param clientOf makes the client that sends the requests of a login, and that of another service */
export function createTokens(context: ClientContext, clientOf: ClientOf): Tokens {
    const { service, settings } = context;
    const { login, token, tokenFile } = settings;
    const refused = async () => false;
    if (tokenFile !== undefined) {
        return { current: (signal) => credentialIn(context, { file: tokenFile }, "token", signal), refused };
    }
    if (login === undefined || service.login === undefined) return { current: async () => token, refused };
    return new LoginTokens(context, login, service.login, clientOf);
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

/** The client of the requests of a login, or of another service. */
type ClientOf = (other?: { readonly service: Server; readonly settings: ClientSettings }) => Client;

/** The words of services for a JWT that is not valid yet. */
const notYet = /not (?:yet valid|valid yet)|not yet|issued in the future|\bnbf\b/i;

/** The longest wait until a JWT is valid, in milliseconds. */
const longestNotYet = 5000;

/** How often one request waits for a server that does not know its token yet. */
const mostWaits = 10;

/** A login that several requests wait for. It is cancelled as soon as all of them are. */
class SharedLogin {
    private readonly controller = new AbortController();
    private waiting = 0;
    private readonly done: Promise<void>;

    constructor(logIn: (signal: AbortSignal) => Promise<void>) {
        this.done = logIn(this.controller.signal);
    }

    /** Waits for the login, until the signal aborts. */
    join(signal: AbortSignal | undefined): Promise<void> {
        this.waiting++;
        let leave: () => void = () => undefined;
        const left = new Promise<never>((_, reject) => {
            leave = () => {
                if (--this.waiting === 0) this.controller.abort();
                else
                    reject(new StatecraftError("cancelled", "the operation was cancelled while it waited for a login"));
            };
            if (signal?.aborted) leave();
            else signal?.addEventListener("abort", leave, { once: true });
        });
        // The signal may be that of a process.
        return Promise.race([this.done, left]).finally(() => signal?.removeEventListener("abort", leave));
    }

    /** Whether nothing waits for the login any more, which therefore fails. */
    get isCancelled(): boolean {
        return this.controller.signal.aborted;
    }
}

/**
 * The tokens of a client whose settings have a `login`. Requests that need a login at the same time share one.
 *
 * | the token of the last login  | `current`: before a request                                     | `refused`: after a 401 or 403             |
 * | ---------------------------- | --------------------------------------------------------------- | ----------------------------------------- |
 * | none yet, or it has ended    | logs in                                                         | –                                         |
 * | issued less than `lag` ago   | returns it, even if it has ended                                | of a 403: waits, and repeats the request, at most ten times |
 * | in its first two thirds      | returns it                                                      | logs in, once for a client, and repeats   |
 * | in its last third            | renews it once, if the answer to the login allows it; else, or two thirds of the rest later if that gave no longer life, logs in; if that fails, returns it, and warns the first time | logs in, once for a client, and repeats |
 * | another than that refused    | –                                                               | repeats                                   |
 */
class LoginTokens implements Tokens {
    /** Times are those of the clock: when the token ends, and when it is replaced. */
    private last: { readonly value: string; renewal: LoginToken["renewal"]; end: number; due: number } | undefined;
    private readonly issued: LoginToken[] = [];
    private pending: SharedLogin | undefined;
    private readonly client: Client;
    private isRepeated = false;
    /** The time until which a server may not know the token yet. */
    private unknownUntil = 0;

    constructor(
        private readonly context: ClientContext,
        private readonly login: Login,
        private readonly requests: LoginRequests,
        private readonly clientOf: ClientOf,
    ) {
        this.client = clientOf();
    }

    private get name(): string {
        return `the login with ${JSON.stringify(this.login)}`;
    }

    async current(signal: AbortSignal | undefined): Promise<string | undefined> {
        const { last } = this;
        const { clock, settings, title } = this.context;
        const now = clock.now();
        // A token that the servers do not know yet is not replaced, however short its life is.
        if (last !== undefined && now < this.unknownUntil) return last.value;
        if (last === undefined || now >= last.end) await this.logIn(signal);
        else if (now >= last.due) {
            await this.logIn(signal).catch((error: unknown) => {
                const failure = asStatecraftError(error);
                const text = `${title}: ${sentencesOf(failure)} Requests use the token of the last login until it ends`;
                if (last.due < last.end) settings.notify?.(`${text}.`, failure.code, "info");
                last.due = last.end;
            });
        }
        return this.last?.value;
    }

    async refused(token: string | undefined, status: number, count: number, signal?: AbortSignal): Promise<boolean> {
        const { clock, settings } = this.context;
        const { retryBaseDelay = 500 } = settings;
        const rest = this.unknownUntil - clock.now();
        if (signal?.aborted) return false;
        if (status === 403 && rest > 0 && count <= mostWaits) {
            await clock.sleep(Math.min(rest, retryBaseDelay * (1 + clock.random())), signal);
            return true;
        }
        if (token === this.last?.value && !this.isRepeated) {
            this.isRepeated = true;
            if (this.last) this.last.renewal = false;
            this.logIn(signal).catch((error: unknown) => {
                const failure = asStatecraftError(error);
                settings.notify?.(sentencesOf(failure), failure.code, "info");
            });
        }
        await this.pending?.join(signal).catch(() => undefined);
        return token !== this.last?.value;
    }

    /** Renews the token or logs in, or waits until another request has done so. */
    private logIn(signal: AbortSignal | undefined): Promise<void> {
        if (this.pending === undefined || this.pending.isCancelled) {
            const login = new SharedLogin((shared) =>
                this.getToken(shared).finally(() => {
                    if (this.pending === login) this.pending = undefined;
                }),
            );
            this.pending = login;
        }
        return this.pending.join(signal);
    }

    /** Renews the token of the last login. Resolves with false if its life is no longer than before. */
    private async isRenewed(signal: AbortSignal): Promise<boolean> {
        const { last } = this;
        const { clock } = this.context;
        if (!last?.renewal || clock.now() >= last.end) return false;
        const [operation, call] = last.renewal;
        const reading = this.client.call(operation, { ...call, signal }).then((answer) => this.tokenIn(answer));
        const { lifetime = 0, problem = false } = (await reading.catch(() => undefined)) ?? {};
        const now = clock.now();
        const rest = last.end - now;
        if (rest <= 0) return false;
        const granted = problem || lifetime === 0 ? rest : lifetime * 1000;
        // The server counts in whole seconds.
        if (granted <= rest + 1000) last.renewal = false;
        [last.end, last.due] = [now + granted, now + (granted * 2) / 3];
        return true;
    }

    /** The JWT or the secret ID. */
    private credential(signal: AbortSignal): Promise<string> {
        const {
            jwtFile,
            jwtVariable,
            secretIdFile: file = jwtFile,
            secretIdVariable: variable = jwtVariable,
        } = this.login;
        const { githubAudience, roleId } = this.login;
        const { environment = {} } = this.context.settings;
        if (githubAudience !== undefined) {
            return jobToken(
                githubAudience,
                environment,
                (service, settings) => this.clientOf({ service, settings }),
                signal,
            );
        }
        const kind = roleId === undefined ? "jwt" : "secretId";
        return credentialIn(this.context, { file, variable }, kind, signal, this.adviceOn("no credential"));
    }

    private async getToken(signal: AbortSignal): Promise<void> {
        if (await this.isRenewed(signal)) return;
        const { login, requests, client } = this;
        const { clock, secrets, settings } = this.context;
        settings.logins?.begin(this.revokeTokens);
        const credential = await this.credential(signal);
        secrets.add(credential);
        const [operation, call] = requests.request(login, credential);
        const send = () => client.call(operation, { ...call, signal });
        const answer = send().catch(async (error: unknown) => {
            const wait = this.notYetValid(error, credential);
            if (wait === undefined) throw error;
            await clock.sleep(wait, signal);
            return send();
        });
        const reading = answer.then((success) => this.usable(success));
        const token = await reading.catch((error: unknown) => {
            throw this.failure(asStatecraftError(error), credential);
        });
        const { lifetime, uses, value } = token;
        secrets.add(value);
        if (uses > 0) settings.notify?.(`${this.name}: its token is good for only ${uses} requests.`, "login");
        const now = clock.now();
        this.unknownUntil = now + (requests.lag ?? 0);
        const life = lifetime > 0 ? lifetime * 1000 : Number.POSITIVE_INFINITY;
        this.last = { value, renewal: token.renewal, end: now + life, due: now + (life * 2) / 3 };
        this.issued.push(token);
        settings.logins?.add(token);
    }

    /** The milliseconds until the JWT of a refused login is valid by the server's clock. `undefined`: it was refused for another reason. */
    private notYetValid(error: unknown, credential: string): number | undefined {
        if (!(error instanceof ServiceError) || !error.reasons.some((reason) => notYet.test(reason))) return undefined;
        // The header has whole seconds.
        const rest = beginOf(credential) - (Date.parse(error.header("date") ?? "") || this.context.clock.date()) + 1000;
        return Math.min(Math.max(rest, 0), longestNotYet);
    }

    private readonly tokenIn = (answer: Answer) => this.requests.read(answer, this.login, this.context.clock.date());

    /** The token in the answer to a login. @throws AnswerError for a token that cannot be used, which is revoked */
    private async usable(answer: Answer): Promise<LoginToken> {
        const token = this.tokenIn(answer);
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
        const isEarly = this.notYetValid(error, credential) !== undefined && error instanceof ServiceError;
        const begin = isEarly ? beginOf(credential) : 0;
        const life = rest < 0 ? `expired ${-rest} s ago` : `is valid for ${rest} s`;
        const validity = begin > 0 ? `is valid from ${new Date(begin).toUTCString()} on` : life;
        const claims = Number.isNaN(rest) ? "" : `; the JWT with ${cut(JSON.stringify({ iss, aud, sub }))} ${validity}`;
        const isRefusal = error instanceof ServiceError && [400, 401, 403, 500].includes(error.status);
        const advice = isRefusal ? this.adviceOn(`${error.status}: ${error.reasons.join("; ")}\n${sub}`) : error.hint;
        const here = new Date(this.context.clock.date()).toUTCString();
        const clocks = isEarly
            ? `; the server's clock shows ${error.header("date") ?? "?"}, this machine's ${here}`
            : "";
        const hint = isEarly ? "Set the clocks of the server, of this machine and of what issued the JWT" : advice;
        return new StatecraftError("login", `${this.name} failed: ${error.message}${claims}${clocks}`, { hint });
    }

    private readonly adviceOn = (problem: string) => this.requests.advice.find(([words]) => words.test(problem))?.[1];

    /** Revokes all tokens. A property, because `ClientSettings.logins` recognizes a client by it. */
    private readonly revokeTokens = async () => {
        const signal = AbortSignal.timeout(1000);
        await this.pending?.join(signal).catch(() => undefined);
        this.last = undefined;
        await this.revoke(this.issued.splice(0), signal);
    };

    private revoke(tokens: readonly LoginToken[], signal = AbortSignal.timeout(1000)): Promise<unknown> {
        const revocations = tokens.flatMap(({ revocation }) => (revocation ? [revocation] : []));
        return Promise.allSettled(
            revocations.map(([operation, call]) => this.client.call(operation, { ...call, signal })),
        );
    }
}
