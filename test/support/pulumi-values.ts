/** Values in the forms of Pulumi's protocol, written out instead of imported from `src`. */

/** Inputs, arguments or outputs by name. */
export type Props = Record<string, unknown>;

/** The text of an unknown value. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The key whose value is the kind of a secret, an asset or a resource reference. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

export const sealed = (value: unknown): Props => ({ [signatureKey]: "1b47061264138c4ac30d75fd1eb44270", value });

export const asset = (fields: Props): Props => ({ [signatureKey]: "c44067f5952c0a294b673a41bacd8c17", ...fields });

export const reference = (fields: Props): Props => ({ [signatureKey]: "5cf8f73096256a8f31e491e813e4eb8e", ...fields });
