/** Values that the engine does not know yet: they pass every check, and count as a change. */

/** The string that stands for a value which is not known before the deployment. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The properties of one object, by name. It stands here because the types of programs name it, and those must not load zod. */
export type Values = Readonly<Record<string, unknown>>;

/** Whether a value is unknown, or holds one that is. */
export function holdsUnknown(value: unknown): boolean {
    if (value === unknown) return true;
    if (Array.isArray(value)) return value.some(holdsUnknown);
    return isRecord(value) && Object.values(value).some(holdsUnknown);
}

/** Whether a value is a plain object. What programs hand over unresolved, such as an output or an asset, is none. */
export function isRecord(value: unknown): value is Values {
    if (typeof value !== "object" || value === null) return false;
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
}
