/** Messages to users. */

import { asStatecraftError, type StatecraftError, textOf } from "../errors";
import type { Declared } from "../schema/declared";
import { unknown } from "../schema/values";
import { cut, longestSearched, oneLine, redacted } from "./redaction";
import { inProgram, inWords, type Steps } from "./steps";

/** How a message is shown. In a terminal, a `progress` message disappears when the next message is shown. */
export type Severity = "debug" | "progress" | "info" | "warning";

/** A warning that `strict` makes a failure, with the way out of it for one run, also where the configuration sets `statecraft:strict`. */
export const withWayOut = (warning: string): string =>
    `${warning.replace(/\.$/, "")}. \`STATECRAFT_STRICT=false\` makes it a warning for one run, such as the first run of a program that makes the server`;

/** The output of a process, and the secrets that no message may contain. */
export interface Output {
    /** Shows a message at the resource of the URN, or for the stack. */
    say(severity: Severity, message: string, urn?: string): void;
    /** The secrets of all settings that were read. */
    readonly secrets: Iterable<string>;
    /** The words of the host. Default: those for programs. */
    readonly steps?: Steps | undefined;
}

/** The subject of messages, and the values whose secrets they must not contain. */
interface Subject {
    /** The resource or the function, such as `AuthRole web`. Default: messages have no subject. */
    readonly name?: (() => string) | undefined;
    /** Messages with a URN are shown at its resource, and do not repeat the name. */
    readonly urn?: string | undefined;
    readonly declared?: readonly (Declared | undefined)[];
    /** Whether no state has the subject, so that no message advises to remove it from there. Default: false. */
    readonly isStateless?: boolean;
    /** Reads the secrets that are not known yet. Resolves with whether all are known then. Default: all are known. */
    readonly learn?: (() => Promise<boolean>) | undefined;
}

/** Makes every message of one operation: a paragraph of one line about its subject, without secrets. */
export class Voice {
    private readonly steps: Steps;
    private areSecretsKnown: boolean;

    constructor(
        private readonly output: Output,
        private readonly subject: Subject = {},
    ) {
        const { steps = inProgram } = output;
        this.steps = subject.isStateless === true ? { ...steps, forget: () => "" } : steps;
        this.areSecretsKnown = subject.learn === undefined;
    }

    /** Reads the secrets that are not known yet: before a text of a server is quoted. Resolves with whether all are known then. */
    async learn(): Promise<boolean> {
        this.areSecretsKnown ||= (await this.subject.learn?.()) === true;
        return this.areSecretsKnown;
    }

    /** The secrets of the operation, without those of the settings. */
    get secrets(): readonly string[] {
        return this.subject.declared?.flatMap((declared) => declared?.secrets ?? []) ?? [];
    }

    say(severity: Severity, message: string): void {
        const { urn } = this.subject;
        this.show(severity, this.clean(urn === undefined ? this.named(message) : message), urn);
    }

    /** A message that cannot be shown fails no operation, because the operation may have written already. */
    private show(...message: Parameters<Output["say"]>): void {
        try {
            this.output.say(...message);
        } catch {
            // There is no other way to show it.
        }
    }

    /** The text as one line, without secrets and without the engine's text for unknown values. */
    clean(text: string): string {
        const complete = inWords(text, this.steps).replaceAll(unknown, "[not known yet]");
        return oneLine(redacted(complete, this.everySecret()));
    }

    /** A generator, so that `redacted` also catches what it throws. */
    private *everySecret(): Iterable<string> {
        yield* this.secrets;
        yield* this.output.secrets;
    }

    /** A text of a server as messages quote it: cut, after secrets were removed from it, and not at all while one is not known. */
    quoted(text: string): string {
        if (!this.areSecretsKnown) return "[not shown, because it may quote a secret]";
        return cut(this.clean(text.slice(0, longestSearched)).trim());
    }

    /**
     * The error with a complete message, which begins with the subject.
     * @param lead what had been done before the failure
     * @param advice more advice than the error has
     */
    failure(error: unknown, lead = "", advice?: string): StatecraftError {
        const failure = asStatecraftError(error);
        if (error instanceof Error && failure !== error) this.show("debug", this.clean(error.stack ?? ""));
        const hint = advice && failure.hint ? `${failure.hint}. ${advice}` : (advice ?? failure.hint);
        const message = this.clean(this.named(lead + textOf(failure.reword({ hint }))));
        return failure.reword({ message, ...(hint !== undefined && { hint: this.clean(hint) }) });
    }

    private named(text: string): string {
        const name = this.subject.name && this.steps.subject(this.subject.name());
        return name ? `${name}: ${text}` : text;
    }
}
