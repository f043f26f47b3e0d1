/** Reading JSON, also as the services do, whose messages say what is wrong with it. */

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: neither an array nor `null`. */
export function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An integer that is not negative. */
export function isCount(value: unknown): value is number {
    return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The value of a JSON text, `undefined` if it is not JSON. */
export function parsed(text: string | Buffer): unknown {
    try {
        return JSON.parse(text.toString());
    } catch {
        return undefined;
    }
}

/** The value of a JSON text. Throws an error in the services' words if it is not JSON. */
export function readJson(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch (error) {
        throw new Error(problemIn(text, error instanceof Error ? error.message : ""));
    }
}

/** The first key that an object in a valid JSON text holds twice. */
export function repeatedKey(text: string): string | undefined {
    const open: Set<string>[] = [];
    for (const [token, written, colon] of text.matchAll(/"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]/gs)) {
        if (token === "{") open.push(new Set());
        else if (token === "}") open.pop();
        else if (written !== undefined && colon !== undefined) {
            const key = String(JSON.parse(`"${written}"`));
            if (open.at(-1)?.has(key)) return key;
            open.at(-1)?.add(key);
        }
    }
    return undefined;
}

/** Node's message holds the position, or only the character. */
function problemIn(text: string, message: string): string {
    const position = /at position (\d+)/.exec(message)?.[1];
    const character = position === undefined ? /token '(.)'/su.exec(message)?.[1] : text[Number(position)];
    if (character === undefined) return "unexpected EOF";
    const where = message.includes("after JSON") ? "after top-level value" : "looking for beginning of value";
    return `invalid character '${character}' ${where}`;
}
