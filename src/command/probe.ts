/** Asking a server something that changes nothing, and judging what comes back. */

import type { Operation } from "../core/operation";
import { asParagraph } from "../core/paragraph";
import type { Answer, Call, Service } from "../core/service";
import type { Session } from "../core/session";
import { AnswerError, DeniedError, NotFoundError, ServiceError, StatecraftError } from "../errors";
import type { ServiceFinding } from "./finding";

/** How a question ended. */
export interface Probe {
    readonly answer?: Answer;
    readonly error?: unknown;
    readonly milliseconds: number;
}

/** A question, and the form of its answer: anything may answer 200. */
export interface Question<Parameter extends string> {
    readonly service: Service;
    readonly operation: Operation<Parameter>;
    isAnswer(body: unknown): boolean;
}

/** Asks once. An answer in another form than the service's own is a failure. */
export async function ask<Parameter extends string>(
    { client, now }: Pick<Session, "client" | "now">,
    { service, operation, isAnswer }: Question<Parameter>,
    call: Call<Parameter>,
): Promise<Probe> {
    const begun = now();
    const passed = () => Math.round(now() - begun);
    try {
        const answer = await client.call(operation, call);
        if (isAnswer(answer.body)) return { answer, milliseconds: passed() };
        const exchange = {
            service: service.title,
            operation: `${operation.method} ${operation.path(call.parameters)}`,
        };
        throw new AnswerError(
            exchange,
            "it does not have the form that this service gives it",
            "Does the address in the settings lead to another service?",
        );
    } catch (error) {
        return { error, milliseconds: passed() };
    }
}

/** Whether the server let us ask: absence, said in the service's own way, is an answer. */
export function isAllowed({ answer, error }: Probe): boolean {
    return answer !== undefined || error instanceof NotFoundError;
}

/** Whether the server knows us not, or not enough. */
export function isDenied({ error }: Probe): boolean {
    return error instanceof DeniedError;
}

/** The server's words in a refusal. */
export function saidIn({ error }: Probe): string {
    return error instanceof ServiceError ? error.reasons.join("; ") : "";
}

/** Any failure as a finding: what happened, and what to do. */
export function failed(check: string, { error }: Probe, advice?: string): ServiceFinding {
    if (!(error instanceof StatecraftError)) return { check, result: "failed", detail: asParagraph(error) };
    const todo = advice ?? error.hint?.replace(/\.$/, "");
    return { check, result: "failed", detail: error.message, ...(todo && { advice: todo }) };
}

/** A check that was not done. */
export function skipped(check: string, detail: string): ServiceFinding {
    return { check, result: "skipped", detail };
}

/**
 * Whether the first question reached the service: no answer, an answer of somebody else, and one of a service that is not at
 * work are failures of reaching it.
 */
export function reachability(first: Probe, address: string, skipTlsVerify: boolean): ServiceFinding {
    const { error, milliseconds } = first;
    if (error instanceof ServiceError && error.status >= 500) {
        const isSealed = /\bsealed\b/.test(saidIn(first));
        return failed(
            "reachable",
            first,
            isSealed ? "Unseal the server" : "It answers, but is not at work: see its log",
        );
    }
    const isService = first.answer !== undefined || (error instanceof ServiceError && saidIn(first) !== "a web page");
    const isNothing =
        error instanceof ServiceError && error.status === 404 && error.reasons.length === 0 && !isAllowed(first);
    if (!isService || isNothing) return failed("reachable", first);
    const secured = skipTlsVerify ? "TLS, any certificate" : "TLS, certificate verified";
    const way = address.startsWith("https:") ? secured : "without TLS";
    return { check: "reachable", result: "ok", detail: `answered in ${milliseconds} ms, ${way}` };
}
