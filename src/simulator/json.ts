/** Reads JSON as the services do, whose words say what is wrong with it. */

/** What a JSON text says. Throws an error that says where it is none. */
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

/** Node tells the place, or the character alone. */
function problemIn(text: string, message: string): string {
    const place = /at position (\d+)/.exec(message)?.[1];
    const character = place === undefined ? /token '(.)'/su.exec(message)?.[1] : text[Number(place)];
    if (character === undefined) return "unexpected EOF";
    const where = message.includes("after JSON") ? "after top-level value" : "looking for beginning of value";
    return `invalid character '${character}' ${where}`;
}
