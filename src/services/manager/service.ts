/** The secrets manager: its token header and the shapes of its failures (document "Secrets Manager"). */

import * as z from "zod";
import { unlessAbsent } from "../../core/declared";
import { field, type Props } from "../../core/field";
import { slashTrimmed, text, trimSlashes } from "../../core/kind";
import type { Answer, Service } from "../../core/service";
import type { Session, Vocabulary } from "../../core/session";
import { AnswerError, NotFoundError, reworded } from "../../errors";
import { productName } from "../../vocabulary";

const failure = z.object({ errors: z.array(z.string()) });
const success = z.object({ data: z.record(z.string(), z.unknown()) });
const listed = z.object({ data: z.object({ keys: z.array(z.string()) }) });
const warned = z.object({ warnings: z.array(z.string()) });

/** The secrets manager. */
export const manager: Service = {
    name: "manager",
    title: "secrets manager",
    contentType: "application/json",
    tokenHeader: (token) => ["X-Secrets-Token", token],
    reasons: ({ body }) =>
        failure.safeParse(body).data?.errors.map(unlisted) ?? (typeof body === "string" ? [body] : []),
    // Other 404s carry a reason: no such mount, a name of the wrong form, an edition without the feature.
    absent: ({ status, body }) => status === 404 && failure.safeParse(body).data?.errors.length === 0,
    hint: ({ body }) =>
        failure.safeParse(body).data?.errors.some((reason) => /enterprise[- ]only/i.test(reason))
            ? "This server lacks the licence: automated snapshots need the enterprise edition of the secrets manager. Nothing was changed, and whether the object exists is not known."
            : undefined,
    passing: () => false,
};

/** Servers wrap single reasons into a list of one: `1 error occurred:\n\t* permission denied`. */
function unlisted(reason: string): string {
    return reason
        .replace(/^\d+ errors? occurred:\s*/, "")
        .replace(/\s*\*\s+/g, " ")
        .trim();
}

/** The object in an answer to a read. */
export function dataOf(answer: Answer, operation: string): Props {
    const parsed = success.safeParse(answer.body);
    if (parsed.success) return parsed.data.data;
    throw new AnswerError({ service: manager.title, operation }, "a read must hold an object `data`");
}

/** For the `catch` of a lookup: an object that is absent has a code of its own there. */
export function saidAbsent(title: string): (error: unknown) => never {
    return (error) => {
        if (!(error instanceof NotFoundError)) throw error;
        throw reworded(error, { code: "absent", message: `${title} does not exist, or may not be seen` });
    };
}

/** Shows the warnings that came with a success. */
export function showWarnings(answer: Answer, session: Session): void {
    for (const warning of warned.safeParse(answer.body).data?.warnings ?? []) {
        session.warn(`the ${manager.title} says: ${warning}`);
    }
}

/** The names in an answer to `LIST`; where there is nothing to list, the service says that the list is absent. */
export async function listNames(call: Promise<Answer>, operation: string): Promise<string[]> {
    const answer = await call.catch(unlessAbsent);
    if (answer === undefined) return [];
    const parsed = listed.safeParse(answer.body);
    if (parsed.success) return parsed.data.data.keys;
    throw new AnswerError({ service: manager.title, operation }, "a list must hold texts in `data.keys`");
}

/** Header that addresses a namespace; none for the root. */
export function namespaceHeaders(namespace: string | undefined): Record<string, string> {
    return namespace ? { "X-Secrets-Namespace": namespace } : {};
}

/** What the login method is called, and where it is mounted unless told otherwise. */
const methodNames: Readonly<Record<Vocabulary, string>> = { documented: "clouda", product: productName("clouda") };

/** Where a login method is: the arguments of every resource below a mount. */
export const mountFields = {
    mount: field(slashTrimmed("must be the path of a mount, such as clouda"), {
        doc: "Where the login method is mounted, without `auth/`. Slashes at its ends are trimmed. Defaults to the method's own name (`clouda`, or what the vocabulary calls it).",
        replaces: true,
        settled: ({ vocabulary }) => methodNames[vocabulary],
    }),
    namespace: field(
        // A namespace is the same with and without slashes around its path.
        { ...text({ pattern: /^[^@]*$/, must: "must not hold @" }), canonical: trimSlashes },
        {
            doc: "Namespace of the mount. Defaults to the `namespace` of the settings, else the root namespace.",
            // The root namespace is not stored: an empty text says nothing else.
            defaultBy: () => "",
            replaces: true,
            settled: ({ namespace }) => trimSlashes(namespace ?? "") || undefined,
        },
    ),
} as const;

/** What results of functions say of the mount that was meant. */
export const mountOutputs = {
    mount: { doc: mountFields.mount.doc, type: "string" },
    namespace: { doc: mountFields.namespace.doc, type: "string" },
} as const;

/** A mount, by the values of its fields. */
export interface Mount {
    readonly namespace: string;
    readonly mount: string;
}

/** What the names of roles and configurations are made of. */
export const nameRule = {
    pattern: /^(?!.*\.\.)\w(?:[\w.-]*\w)?$/,
    must: "must consist of letters, digits and _, with - and single . only inside",
};

/** The mount that inputs and settings name. */
export function mountOf(inputs: Props, session: Session): Mount {
    const mount = trimSlashes(String(inputs["mount"] ?? methodNames[session.vocabulary]));
    return { mount, namespace: trimSlashes(String(inputs["namespace"] ?? session.namespace ?? "")) };
}

/** The part of an id that names a mount: `auth/clouda`, in a namespace `team@auth/clouda`. */
export function mountId({ mount, namespace }: Mount): string {
    return `${namespace === "" ? "" : `${namespace}@`}auth/${mount}`;
}

/** How messages call what a mount has one of. */
export function mountSubject({ mount, namespace }: Props): string {
    if (typeof mount !== "string") return "";
    return mountId({ mount: trimSlashes(mount), namespace: trimSlashes(String(namespace ?? "")) });
}

/** What a mount keeps in state: values that came from settings must not move when the settings do. */
export function settledMount({ mount, namespace }: Mount): Props {
    return namespace === "" ? { mount } : { mount, namespace };
}
