/** Property values in the form in which the engine passes them. This file imports no library, because every program loads it. */

/** Properties by name. */
export type Values = Readonly<Record<string, unknown>>;

/** The engine's text for a value that is not known before the deployment. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value is unknown, or contains an unknown value. */
export function holdsUnknown(value: unknown): boolean {
    if (value === unknown) return true;
    if (Array.isArray(value)) return value.some(holdsUnknown);
    return isRecord(value) && Object.values(value).some(holdsUnknown);
}

/** Whether a value is a plain object. Outputs, assets and other instances of classes are not. */
export function isRecord(value: unknown): value is Values {
    if (typeof value !== "object" || value === null) return false;
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Applies `change` to every value of an object. */
export function mapValues<Value, Result>(
    values: Readonly<Record<string, Value>>,
    change: (value: Value, name: string) => Result,
): Record<string, Result> {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

/** The entries of an object that `isKept` accepts. */
export function filterValues<Value>(
    values: Readonly<Record<string, Value>>,
    isKept: (value: Value, name: string) => boolean,
): Record<string, Value> {
    return Object.fromEntries(Object.entries(values).filter(([name, value]) => isKept(value, name)));
}

/** The entries of an object without those whose value is `undefined`. */
export const withoutUndefined = (values: Values): Record<string, unknown> =>
    filterValues(values, (value) => value !== undefined);

/** JSON with sorted keys: equal values have equal texts. */
export function sortedJson(value: unknown): string {
    return JSON.stringify(value, (_, inner: unknown) =>
        typeof inner === "object" && isRecord(inner)
            ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
            : inner,
    );
}

/** The value of a JSON text. `undefined` for any other text, because the message of the parser's error would quote the text. */
export function parsedJson(value: string | Buffer): unknown {
    try {
        return JSON.parse(value.toString());
    } catch {
        return undefined;
    }
}

/** The object of a JSON text. `undefined` for any other text. */
export function parsedObject(text: string | Buffer): Values | undefined {
    const value = parsedJson(text);
    return isRecord(value) ? value : undefined;
}
