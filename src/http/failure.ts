/** From what happened to the one family of errors. */

import { redacted, type Secret } from "../core/redaction";
import type { Answer, Service } from "../core/service";
import {
    AnswerError,
    ConflictError,
    DeniedError,
    type Exchange,
    LimitedError,
    NotFoundError,
    ServiceError,
    type StatecraftError,
    UnreachableError,
} from "../errors";
import { isWebPage } from "./body";
import { folded, saidIn } from "./reasons";
import type { SendFailure } from "./send-failure";

/** A failing answer, and what is known around it. */
export interface Refusal {
    readonly service: Service;
    readonly exchange: Exchange;
    readonly answer: Answer;
    /** False for an answer of another origin, to which a redirect or an address led: it says nothing about our objects. */
    readonly own: boolean;
    /** What must not be repeated, should the server quote it. */
    readonly secrets: readonly Secret[];
    /** Seconds the server asked to wait. */
    readonly asked: number | undefined;
    /** An earlier try may have had an effect. */
    readonly doubtful: boolean;
}

/** The error for an answer that is not a success. */
export async function refused(refusal: Refusal): Promise<ServiceError> {
    const { service, exchange, answer, own, secrets, asked, doubtful } = refusal;
    const { status } = answer;
    const facts = { ...exchange, status, ...(await saidIn(service, answer, secrets)), doubtful };
    if (own && !isWebPage(answer.body, answer) && service.absent(answer))
        return new NotFoundError(facts, { code: "not-found" });
    if (status === 409 || status === 412) return new ConflictError(facts, { code: "conflict" });
    const known = own ? service.hint?.(answer) : undefined;
    if (status === 401 || status === 403) {
        const hint = own
            ? "The token is missing or invalid, or lacks the right for this request."
            : "The request was led to another address than the one in the settings, where the token is not sent.";
        return new DeniedError(facts, { code: "denied", hint: known === undefined ? hint : `${hint} ${known}` });
    }
    if (status === 429)
        return new LimitedError({ ...facts, retryAfter: asked }, { code: "limited", hint: later(asked) });
    // 501 is what a server without such a path answers where 404 would say something of objects.
    if (status === 404 || status === 501) {
        const nowhere =
            "Nothing is served under this path: the address in the settings, or the mount, is probably wrong.";
        return new ServiceError(facts, { hint: known ?? nowhere });
    }
    return new ServiceError(facts, { hint: known });
}

/** The error for a wait that the server asked for and that is too long for us. */
export async function tooLong(refusal: Refusal, asked: number): Promise<LimitedError> {
    const { service, exchange, answer, secrets, doubtful } = refusal;
    const said = await saidIn(service, answer, secrets);
    const reasons = [...said.reasons, `it asked to wait ${Math.ceil(asked)} s, which is too long to wait here`];
    const facts = { ...exchange, ...said, status: answer.status, reasons, retryAfter: asked, doubtful };
    return new LimitedError(facts, { code: "limited", hint: later(asked) });
}

function later(asked: number | undefined): string {
    return asked === undefined ? "Try again later, or lower `maxConcurrency`." : `Try again in ${Math.ceil(asked)} s.`;
}

/** The error for an answer that did not come or cannot be read, after so many tries, any of which may have been `sent`. */
export function unanswered(
    exchange: Exchange,
    failure: SendFailure,
    { tries, sent }: { tries: number; sent: boolean },
    secrets: readonly Secret[],
): StatecraftError {
    const said = folded(redacted(failure.message, secrets));
    if (failure.kind === "unreadable") return new AnswerError(exchange, said, failure.hint);
    const reason = tries > 1 ? `${said}, after ${tries} tries` : said;
    // A plain error: those of axios hold the request's headers and body.
    const cause = Object.assign(new Error(said), { code: failure.code });
    return new UnreachableError({ ...exchange, sent }, reason, { hint: failure.hint, cause });
}
