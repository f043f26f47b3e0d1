/** JSON of unknown content. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: neither an array nor `null`. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a JSON text, `undefined` if it is not JSON. */
export function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
