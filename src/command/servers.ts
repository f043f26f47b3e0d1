/** The servers in the settings of the environment, as the commands reach them. */

import { Context, type Runtime } from "../core/context";
import { OperationError } from "../core/operations";
import type { LoginToken, Service } from "../core/service";
import { Voice } from "../core/voice";
import { createRuntime, Logins, type RuntimeOptions } from "../runtime/runtime";

/** The servers of one command. */
export interface Servers {
    readonly runtime: Runtime;
    /** Cleans what the command prints. */
    readonly voice: Voice;
    /** An operation on the server of a service. @throws ConfigError if the settings are incomplete or wrong */
    context(service: Service): Context;
}

/** Texts of messages, each with the text that replaces it. */
export type Words = readonly (readonly [RegExp, string])[];

/** Commands have no resource in state. */
const withoutState: Words = [[/[;,] (?:if [^;,]*, |or )run `pulumi state delete <urn>`/g, ""]];

interface Options {
    /** The subject of messages. Default: they have none. */
    readonly name?: () => string;
    /** Receives messages about warnings, progress and retries. Default: prints them on standard error. */
    readonly say?: Runtime["say"];
    /** Texts that replace those of messages for programs. */
    readonly words?: Words;
    /** Is called with the token of each login. */
    readonly onLogin?: (token: LoginToken, voice: Voice) => void;
    /** Settings that replace those of the servers. */
    readonly overrides?: RuntimeOptions["overrides"];
}

const print: Runtime["say"] = (severity, message) => severity !== "debug" && console.error(message);

/** Does the work of a command, and revokes the tokens of its logins. @throws StatecraftError with a complete message */
export async function withServers<Result>(
    environment: NodeJS.ProcessEnv,
    { name, say = print, words = [], onLogin, overrides = {} }: Options,
    work: (servers: Servers) => Promise<Result>,
): Promise<Result> {
    const logins: Logins = new Logins(
        () => logins.watchSignals(),
        (token) => onLogin?.(token, voice),
    );
    const all = [...withoutState, ...words];
    const spoken = (text: string) => all.reduce((each, [from, to]) => each.replace(from, () => to), text);
    // This setting is for previews of programs.
    const { STATECRAFT_STRICT: _, ...settings } = environment;
    const runtime: Runtime = createRuntime(undefined, { environment: settings, logins, overrides, say, words: spoken });
    const voice: Voice = new Voice(runtime, { name });
    const context = (service: Service) => new Context(runtime.open(service, undefined), { voice });
    try {
        return await work({ runtime, voice, context });
    } catch (error) {
        throw error instanceof OperationError ? error.cause : voice.failure(error);
    } finally {
        await logins.revokeTokens();
    }
}
