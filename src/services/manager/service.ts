/** The secrets manager: its token header and the shapes of its failures (document "Secrets Manager"). */

import * as z from "zod";
import { serverWarning } from "../../core/failures";
import { type Body, unlessAbsent } from "../../core/named-object-spec";
import type { RequestContext } from "../../core/request-context";
import { noMount, notUnsealed } from "../../core/request-failures";
import type { Answer, Service } from "../../core/service";
import { AnswerError } from "../../errors";
import { isRecord } from "../../schema/unknown";
import { noData, noKeys, noLicence, wrongName } from "./failures";

const failure = z.object({ errors: z.array(z.string()) });
const listed = z.object({ data: z.object({ keys: z.array(z.string()) }) });
const warned = z.object({ warnings: z.array(z.string()) });

/** The secrets manager. */
export const manager: Service = {
    name: "manager",
    title: "secrets manager",
    contentType: "application/json",
    tokenHeader: (token) => ["X-Secrets-Token", token],
    reasons: ({ body }) => failure.safeParse(body).data?.errors.map(unlisted) ?? [],
    // Other 404s carry a reason: no such mount, a name of the wrong form, an edition without the feature.
    absent: ({ status, body }) => status === 404 && failure.safeParse(body).data?.errors.length === 0,
    hint({ status, body }) {
        const reasons = failure.safeParse(body).data?.errors ?? [];
        if (reasons.some((reason) => /enterprise[- ]only/i.test(reason))) return noLicence();
        if (status === 503 && reasons.some((reason) => /\bsealed\b/i.test(reason))) return notUnsealed();
        return status === 404 && reasons.some((reason) => reason.startsWith("no handler for route"))
            ? noMount()
            : undefined;
    },
    passing: () => false,
};

/** Servers wrap reasons into one text, as a list: `2 errors occurred:\n\t* permission denied\n\t* invalid token`. */
function unlisted(reason: string): string {
    return reason
        .replace(/^\d+ errors? occurred:/, "")
        .replace(/^\s*\*\s+/, "")
        .replace(/:\s*\*\s+/g, ": ")
        .replace(/(?<!\s)[^\S\n]*\n\s*\*\s+/g, ", ")
        .trim();
}

/** The object in an answer to a read. @throws AnswerError where there is none */
export function dataOf({ body, exchange }: Answer): Body {
    const data = isRecord(body) ? body["data"] : undefined;
    if (isRecord(data)) return data;
    throw new AnswerError(exchange, noData());
}

/** Shows the warnings that came with a success. */
export function showWarnings(answer: Answer, context: RequestContext): void {
    for (const warning of warned.safeParse(answer.body).data?.warnings ?? []) {
        context.warn(serverWarning({ service: context.product, warning }));
    }
}

/** The names in an answer to `LIST`; where there is nothing to list, the service says that the list is absent. @throws AnswerError for no list */
export async function listNames(call: Promise<Answer>): Promise<string[]> {
    const answer = await call.catch(unlessAbsent);
    if (answer === undefined) return [];
    const parsed = listed.safeParse(answer.body);
    if (parsed.success) return parsed.data.data.keys;
    throw new AnswerError(answer.exchange, noKeys());
}

/** What the names of roles and configurations are made of. */
export const nameRule = {
    pattern: /^(?!.*\.\.)\w(?:[\w.-]*\w)?$/,
    must: wrongName(),
};
