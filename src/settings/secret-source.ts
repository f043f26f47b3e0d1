/** Reads secrets from the files and variables that settings and properties name. */

import { isUtf8 } from "node:buffer";
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StatecraftError } from "../errors";
import type { SecretSource } from "../schema/secret-sources";
import { isCredential } from "./settings-schema";

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
        const given = Object.hasOwn(environment, variable) ? environment[variable] : undefined;
        const text = file === undefined ? given : await textOf(atHome(file, environment), signal);
        return (typeof text === "object" ? text : text?.trim()) || empty;
    };
    const first = await read();
    const isMissing = (found: string | Problem) => found === absent || found === empty;
    const secret = isMissing(first) ? await pause().then(read) : first;
    const problem = typeof secret === "string" ? problemOf(options.kind, secret) : secret;
    if (typeof secret === "string" && problem === undefined) return secret;
    const [what, usual] = problem ?? empty;
    const place = file === undefined ? `the variable ${variable}` : `the file ${file}`;
    const isVariable = file === undefined;
    const isUnset = isVariable && !Object.hasOwn(environment, variable) && !/^[A-Z_][A-Z0-9_]*$/.test(variable);
    if (isUnset || (!isVariable && problem === absent && mayBeSecret(file, environment))) {
        const kind = isVariable ? "variable" : "file";
        const hidden = `there is no ${kind} of this name, which is not shown, because it may be the secret`;
        const ofFile = "Name the file of the secret, in a folder that exists, and begin a relative name with `./`";
        throw new StatecraftError("login", hidden, { hint: isVariable ? "Name the variable of the secret" : ofFile });
    }
    const hint = (isMissing(secret) && advice) || usual;
    throw new StatecraftError("login", `${place} ${what}`, { hint });
}

const absent: Problem = ["does not exist", "Create it, or correct its name"];
const empty: Problem = ["is empty", "Write the secret to it"];
const folder: Problem = ["is a folder", "Name the file in it; docker makes a folder of a file that it cannot find"];

/** The problem of a failed read. */
function readProblem(error: unknown): Problem {
    const { code = "no reason given" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"].includes(code)) return absent;
    if (code === "EISDIR") return folder;
    return [`cannot be read (${code})`, "Let the user of this process read it"];
}

/** Without `O_NONBLOCK`, opening a FIFO waits for its writer. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Why an open file is not read. */
function problemOfFile(info: Stats): Problem | undefined {
    if (info.isDirectory()) return folder;
    if (!info.isFile()) return ["is no regular file", "Write the secret to a file, or use a variable"];
    return info.size > largest ? ["is larger than 1 MiB", "Name the file of the secret"] : undefined;
}

/** The text of a file, or the reason why there is none. */
async function textOf(path: string, signal: AbortSignal | undefined): Promise<string | Problem> {
    const read = async () => {
        const file = await open(path, flags);
        try {
            return problemOfFile(await file.stat()) ?? decoded(await file.readFile());
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

/**
 * Reads a file that a setting names and that is needed before the first request, under the same limits as a secret.
 * @returns the bytes, or the problem as messages say it after the name of the file
 */
export function readNamed(path: string): Buffer | string {
    try {
        const file = openSync(path, flags);
        try {
            return problemOfFile(fstatSync(file))?.[0] ?? readFileSync(file);
        } finally {
            closeSync(file);
        }
    } catch (error) {
        return readProblem(error)[0];
    }
}

function decoded(bytes: Buffer): string | Problem {
    const isWide = bytes.includes(0) || (bytes[0] ?? 0) >= 0xfe;
    if (isWide) return ["is UTF-16, and must be UTF-8", "In PowerShell, write it with `Set-Content -Encoding ascii`"];
    // Otherwise another secret would be sent than the file has.
    return isUtf8(bytes) ? bytes.toString() : ["is not UTF-8", "Convert it, or write the secret in base64"];
}

const kinds = { token: "token", jwt: "JWT", secretId: "secret ID" };
const alone = "Write the secret alone to it";
/** Forms of texts that only the kind `text` accepts, each with its name and the next step. */
const wrongForms: readonly (readonly [form: RegExp, ...Problem])[] = [
    [/^(null|undefined)$/, 'it is the word "null"', "Check the command that writes it, such as `jq`"],
    [/"(creation_path|wrap_info|wrapped_accessor)"/, "it is wrapped", "Unwrap it with `vault unwrap <token>`"],
    [/^</, "it is a web page", "Check the command that writes it"],
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

/** Whether the name of a file that does not exist may be a secret in its place: unless its folder exists, or it has an extension alone. */
const mayBeSecret = (name: string, environment: NodeJS.ProcessEnv): boolean => {
    const isPath = /[/\\]/.test(name) && existsSync(dirname(atHome(name, environment)));
    return isCredential(name) || !(isPath || /^[\w-]+(\.[a-z]{2,4})+$/i.test(name));
};
