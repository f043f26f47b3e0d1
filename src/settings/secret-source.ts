/** Reads secrets from the files and variables that settings and properties name. */

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { StatecraftError } from "../errors";

/** Where a secret is: in a file, or in an environment variable. */
export interface SecretSource {
    readonly file?: string | undefined;
    readonly variable?: string | undefined;
}

/** The use of a secret: `jwt` and `secretId` are those of a login. `text` may be anything, such as the JSON of a key. */
export type SecretKind = "token" | "jwt" | "secretId" | "text";

interface Options {
    readonly kind: SecretKind;
    /** Has the variables, and the home folder for `~`. */
    readonly environment: NodeJS.ProcessEnv;
    /** Advice for a source that is absent or empty. */
    readonly advice?: string | undefined;
    /** Ends a read that takes too long. */
    readonly signal?: AbortSignal | undefined;
    /** The wait before the second look at a file that is absent or empty, because some writers empty a file before they write it. */
    readonly pause?: (() => Promise<unknown>) | undefined;
}

/** The most bytes of a secret. */
const largest = 1024 ** 2;

/** A problem of a source, and the next step. */
type Problem = readonly [problem: string, hint: string];

/** The path of a file, with the home folder instead of `~`, because no shell expands the value of a setting. */
export function atHome(path: string, { HOME, USERPROFILE }: NodeJS.ProcessEnv): string {
    const home = HOME || USERPROFILE;
    return home ? path.replace(/^~(?=$|[/\\])/, () => home) : path;
}

/**
 * Reads a secret, without blanks around it.
 * @throws StatecraftError `login`: one sentence about the source, which quotes nothing of its content, and a hint
 */
export async function readSecret({ file, variable = "" }: SecretSource, options: Options): Promise<string> {
    const { environment, signal, pause = () => sleep(100), advice } = options;
    const read = async (): Promise<string | Problem> => {
        const text = file === undefined ? environment[variable] : await textOf(atHome(file, environment), signal);
        return (typeof text === "object" ? text : text?.trim()) || empty;
    };
    const first = await read();
    const isMissing = (found: string | Problem) => found === absent || found === empty;
    const secret = isMissing(first) ? await pause().then(read) : first;
    const problem = typeof secret === "string" ? problemOf(options.kind, secret) : secret;
    if (typeof secret === "string" && problem === undefined) return secret;
    const [what, usual] = problem ?? empty;
    if (problem === absent && file !== undefined && mayBeSecret(file)) {
        const hidden = "there is no file of this name, which is not shown, because it may be the secret";
        const hint = "Name the file of the secret, and begin a relative name with `./`";
        throw new StatecraftError("login", hidden, { hint });
    }
    const place = file === undefined ? `the variable ${variable}` : `the file ${file}`;
    const hint = (isMissing(secret) && advice) || usual;
    throw new StatecraftError("login", `${place} ${what}`, { hint });
}

const absent: Problem = ["does not exist", "Create it, or correct its name"];
const empty: Problem = ["is empty", "Write the secret to it"];
const folder: Problem = ["is a folder", "Name the file in it; docker makes a folder of a file that it cannot find"];

/** The problem of a failed read. */
export function readProblem(error: unknown): Problem {
    const { code = "no reason given" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(code)) return absent;
    if (code === "EISDIR") return folder;
    return [`cannot be read (${code})`, "Let the user of this process read it"];
}

/** The text of a regular file, or the reason why there is none. */
async function textOf(path: string, signal: AbortSignal | undefined): Promise<string | Problem> {
    const read = async () => {
        // Without `O_NONBLOCK`, opening a FIFO waits for its writer.
        const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
        try {
            const info = await file.stat();
            if (info.isDirectory()) return folder;
            if (!info.isFile()) return ["is no regular file", "Write the secret to a file, or use a variable"] as const;
            const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(largest + 1));
            if (bytesRead > largest) return ["is larger than 1 MiB", "Name the file of the secret"] as const;
            return decoded(buffer.subarray(0, bytesRead));
        } finally {
            await file.close();
        }
    };
    let stop: () => void = () => undefined;
    const end = new Promise<Problem>((resolve) => {
        stop = () => resolve(["was not read in time", "Use a file on a disk of this machine"]);
        if (signal?.aborted) stop();
        else signal?.addEventListener("abort", stop, { once: true });
    });
    // The signal may be that of a process.
    return Promise.race([read().catch(readProblem), end]).finally(() => signal?.removeEventListener("abort", stop));
}

function decoded(bytes: Buffer): string | Problem {
    const isWide = bytes.includes(0) || (bytes[0] ?? 0) >= 0xfe;
    if (isWide) return ["is UTF-16, and must be UTF-8", "In PowerShell, write it with `Set-Content -Encoding ascii`"];
    return bytes.toString();
}

const kinds = { token: "token", jwt: "JWT", secretId: "secret ID" };
const alone = "Write the secret alone to it";
/** Forms of texts that only the kind `text` accepts, each with its name and the next step. */
const wrongForms: readonly (readonly [form: RegExp, ...Problem])[] = [
    [/^(null|undefined)$/, 'it is the word "null"', "Check the command that writes it, such as `jq`"],
    [/"(creation_path|wrap_info|wrapped_accessor)"/, "it is wrapped", "Unwrap it with `vault unwrap <token>`"],
    [/^[[{]/, "it is JSON", "Write only the value of the secret to it, for example with `jq -r .value`"],
    [/^(["']).*\1$/s, "it is in quotes", "Remove the quotes, which `docker run --env-file` does not"],
    [/^bearer\s/i, "it begins with `Bearer`", alone],
    [/\s/, "it has several words or lines", alone],
];

/** Why a text is no secret of this kind. */
function problemOf(kind: SecretKind, text: string): Problem | undefined {
    if (kind === "text") return undefined;
    const [, wrong, hint] = wrongForms.find(([form]) => form.test(text)) ?? [];
    const no = (reason: string, advice: string): Problem => [`holds no ${kinds[kind]}: ${reason}`, advice];
    if (wrong !== undefined && hint !== undefined) return no(wrong, hint);
    if (kind === "secretId" && /^(hv[sb]|[sb])\.\w{20}/.test(text)) {
        return no("it is wrapped", "Unwrap it with `vault unwrap -field=secret_id <token>`");
    }
    const isJwt = /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
    return kind === "jwt" && !isJwt
        ? no("it has not three parts", "Name the file or the variable of the JWT")
        : undefined;
}

/** Whether the name of a file that does not exist may be a secret in its place. */
export const mayBeSecret = (name: string): boolean =>
    isCredential(name) || (!/^([./\\~]|[a-z]:[\\/])/i.test(name) && name.length >= 16 && /\d/.test(name));

/** Whether a text has the form of a credential: a JWT, a UUID, or a token of a product. */
export const isCredential = (text: string): boolean =>
    /^(eyJ|hv[sbr]\.|[sb]\.\w{20}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$)|\.atlasv1\./i.test(text);
