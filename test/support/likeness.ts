/** Compares an answer of a real server with the simulator's answer to the same request: status, media type, form of the body, and texts that the sources look for. */

import { isRecord } from "../../src/schema/values";
import { serverTexts } from "./server-texts";

export interface Reply {
    readonly status: number;
    readonly type?: string | undefined;
    /** The parsed JSON, or any other text. */
    readonly answer?: unknown;
}

/** Returns the differences, such as `data.token_ttl: number, simulated string`. */
export function differencesOf(service: string, real: Reply, simulated: Reply): string[] {
    if (real.status !== simulated.status) {
        const said = (reply: Reply) => `${reply.status} ${JSON.stringify(sentencesIn(reply).join("; "))}`;
        return [`status ${said(real)}, simulated ${said(simulated)}`];
    }
    const isRefusal = real.status >= 400;
    const type = (reply: Reply) => (reply.answer === undefined ? "no body" : (reply.type ?? "no type"));
    const types = type(real) === type(simulated) ? [] : [`${type(real)}, simulated ${type(simulated)}`];
    return [
        ...types,
        ...formsOf(real.answer, simulated.answer),
        ...(isRefusal ? textsOf(service, real, simulated) : []),
    ];
}

const kindOf = (value: unknown) =>
    value === null ? "null" : Array.isArray(value) ? (value.length === 0 ? "empty list" : "list") : typeof value;

function formsOf(real: unknown, simulated: unknown, path = "body"): string[] {
    const [one, other] = [kindOf(real), kindOf(simulated)];
    if (one !== other) return [`${path}: ${one}, simulated ${other}`];
    if (Array.isArray(real) && Array.isArray(simulated)) return formsOf(real[0], simulated[0], `${path}[]`);
    if (!isRecord(real) || !isRecord(simulated)) return [];
    const names = new Set([...Object.keys(real), ...Object.keys(simulated)]);
    return [...names].flatMap((name) => {
        const inner = path === "body" ? name : `${path}.${name}`;
        if (!(name in simulated)) return [`${inner}: ${kindOf(real[name])}, simulated absent`];
        if (!(name in real)) return [`${inner}: absent, simulated ${kindOf(simulated[name])}`];
        return formsOf(real[name], simulated[name], inner);
    });
}

/** Returns the texts of the sources that only one of the two answers contains. */
function textsOf(service: string, real: Reply, simulated: Reply): string[] {
    const [said, alike] = [sentencesIn(real), sentencesIn(simulated)];
    return serverTexts.flatMap(({ service: of, source, matches }) => {
        if (of !== service || said.some(matches) === alike.some(matches)) return [];
        return `only the ${said.some(matches) ? "server" : "simulator"} says ${source}`;
    });
}

/** The service's folder in `src/services` of each product. */
export const serviceOf: Readonly<Record<string, string>> = {
    vault: "manager",
    nomad: "volumes",
    otf: "state-versions",
    terraform: "state-versions",
};

/** The sentences of a refusal, without the bullets of Vault: the items of `errors`, with their details, or the whole text. */
export function sentencesIn({ answer }: Reply): readonly string[] {
    if (typeof answer === "string") return [answer];
    const errors = isRecord(answer) && Array.isArray(answer["errors"]) ? answer["errors"] : [];
    const texts = errors.map((error) => String(isRecord(error) ? (error["detail"] ?? error["title"]) : error));
    return texts.map((text) =>
        text
            .replace(/^\d+ errors? occurred:\s*\* /, "")
            .replaceAll("\n\t* ", ", ")
            .trim(),
    );
}
