/** The findings of the checks of `npx pulumi-statecraft doctor`. */

import { asStatecraftError, sentencesOf } from "../errors";

/** One line of the list. */
export interface Finding {
    readonly level: "ok" | "warning" | "failed";
    /** The code in docs/errors.md. Empty if all is well. */
    readonly code: string;
    readonly text: string;
    /** The object, such as `snapshot configuration hourly`. `about` adds it. */
    readonly about?: string;
}

export const ok = (text: string): Finding => ({ level: "ok", code: "", text });
export const warning = (code: string, text: string): Finding => ({ level: "warning", code, text });
export const failed = (code: string, text: string): Finding => ({ level: "failed", code, text });

/** Findings about an object, unless they name another one. A failure becomes a finding. */
export async function about(title: string, find: () => Promise<Finding[]>): Promise<Finding[]> {
    const findings = await find().catch((error: unknown) => {
        const failure = asStatecraftError(error);
        return [failed(failure.code, sentencesOf(failure))];
    });
    return findings.map((finding) => ({ about: title, ...finding }));
}

/** The findings of several checks, which run at the same time. */
export const all = async (found: readonly (Finding[] | Promise<Finding[]>)[]) => (await Promise.all(found)).flat();
