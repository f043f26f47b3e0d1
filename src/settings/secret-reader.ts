/** Reads the sources of secret inputs, and makes digests, by which a change of a secret shows although no state contains it. */

import { type BinaryLike, createHash, type ScryptOptions, scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { SecretReader } from "../core/secret-inputs";
import { StatecraftError } from "../errors";
import { secretStrings } from "../schema/secrets";
import { parsedJson } from "../schema/values";
import { readSecret } from "./secret-source";

/** The cost of a hash: about 40 ms, so that guesses of a weak secret are slow. */
const cost = { N: 2 ** 14 };

const advice = "Set it for the process that runs the provider";

/**
 * @param environment has the variables, and the home folder for `~`
 * @param secrets gets the secrets, so that no message contains them
 */
export function secretReader(environment: NodeJS.ProcessEnv, secrets: Set<string>): SecretReader {
    const digests = new Map<string, Promise<string>>();
    const hashed = async (json: string, salt: string) => {
        const hash = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt);
        const bytes = await hash(json, salt, 32, cost).catch((cause: unknown) => {
            const hint = "Give the secret itself instead of its source, or run Pulumi with a Node that allows scrypt";
            const problem = "the digest of a secret needs scrypt, which this Node forbids (FIPS)";
            throw new StatecraftError("input", problem, { hint, cause });
        });
        return `scrypt$${salt}$${bytes.toString("base64url")}`;
    };
    const hide = (secret: unknown) => {
        for (const text of secretStrings({ secrets: { secret: "whole" } }, { secret })) secrets.add(text);
    };
    return {
        async read({ file, variable }) {
            const options = { environment, signal: AbortSignal.timeout(60_000), ...(variable && { advice }) };
            const secret = await readSecret(file ? { file } : { variable }, { kind: "text", ...options });
            hide(secret);
            return secret;
        },
        digest(json, like) {
            hide(parsedJson(json));
            const [, salt = createHash("sha256").update(like).digest("base64url").slice(0, 22)] =
                /^scrypt\$([^$]+)/.exec(like) ?? [];
            const key = JSON.stringify([salt, json]);
            const digest = digests.get(key) ?? hashed(json, salt);
            digests.set(key, digest);
            return digest;
        },
    };
}
