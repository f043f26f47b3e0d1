/** The servers in the settings of the environment, as the commands reach them. */

import { Context, type Runtime } from "../core/context";
import { OperationError } from "../core/operations";
import type { LoginToken, Service } from "../core/service";
import { inProgram, type Steps, shellWord } from "../core/steps";
import { Voice } from "../core/voice";
import { Logins, ProcessRuntime, type RuntimeOptions } from "../runtime/runtime";
import { parsedJson } from "../schema/values";

/** The servers of one command. */
export interface Servers {
    readonly runtime: Runtime;
    /** Cleans what the command prints. */
    readonly voice: Voice;
    /** An operation on the server of a service. @throws ConfigError if the settings are incomplete or wrong */
    context<Defaults>(service: Service<Defaults>): Context<Defaults>;
}

/** The words for commands, which have no program and no state. */
export const inCommand: Steps = {
    subject: (name) => name,
    deployment: () => "The command",
    again: () => "the command",
    reread: () => "`history`",
    versions: () => "`history`",
    forget: () => "",
    option(text) {
        const [, name = "", value = ""] = /^(\w+)(?:: (.*))?$/s.exec(text) ?? [];
        const list = parsedJson(value);
        const words = Array.isArray(list) ? list.map((each) => ` ${shellWord(String(each))}`).join("") : "";
        return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}${words}`;
    },
    about: (input) => (input === "stateVersionId" ? "" : `${inCommand.option(input)}: `),
    underLock: () => "",
    release: () => "run ",
    unlock: inProgram.unlock,
    relock: () => "run the command again",
    repeat: () => "roll back to it",
    longer: () => "wait longer",
};

interface Options {
    /** The subject of messages. Default: they have none. */
    readonly name?: () => string;
    /** Receives messages about warnings, progress and retries. Default: prints them on standard error. */
    readonly say?: Runtime["say"];
    /** Default: the words for any command. */
    readonly steps?: Steps;
    /** Is called with the token of each login. */
    readonly onLogin?: (token: LoginToken, voice: Voice) => void;
    /** Settings that replace those of the servers. */
    readonly overrides?: RuntimeOptions["overrides"];
}

const print: Runtime["say"] = (severity, message) => severity !== "debug" && console.error(message);

/** Does the work of a command, and revokes the tokens of its logins. @throws StatecraftError with a complete message */
export async function withServers<Result>(
    environment: NodeJS.ProcessEnv,
    { name, say = print, steps = inCommand, onLogin, overrides = {} }: Options,
    work: (servers: Servers) => Promise<Result>,
): Promise<Result> {
    const logins: Logins = new Logins(
        () => logins.watchSignals(),
        (token) => onLogin?.(token, voice),
    );
    // This setting is for previews of programs.
    const { STATECRAFT_STRICT: _, ...settings } = environment;
    const runtime: Runtime = new ProcessRuntime(undefined, { environment: settings, logins, overrides, say, steps });
    const voice: Voice = new Voice(runtime, { name });
    const context: Servers["context"] = (service) => new Context(runtime.open(service, undefined), { voice });
    try {
        return await work({ runtime, voice, context });
    } catch (error) {
        throw error instanceof OperationError ? error.cause : voice.failure(error);
    } finally {
        await logins.revokeTokens();
    }
}
