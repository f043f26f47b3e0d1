/**
 * The steps and commands that messages name. Steps have other words in a program than in a command: the message of every host
 * contains `step.again()`, and `Voice` puts the words of the host there.
 */

/** The words of one host. */
export interface Steps {
    /** Names the resource. @param name such as `AuthRole web` */
    subject(name: string): string;
    /** The subject of a preview. */
    deployment(): string;
    /** The command that runs the operation again. */
    again(): string;
    /** The command that reads the object again. */
    reread(): string;
    /** The function or command that lists the versions of the workspace. */
    versions(): string;
    /** The last of several ways: removes the object from state. @param lead joins it to the ways before. Empty where no state has the object */
    forget(lead: string): string;
    /** An option. @param text as in a program, such as `only` or `keepLocked: true` */
    option(text: string): string;
    /** The beginning of the message about an input. */
    about(input: string): string;
    /** One of several ways: works under a lock of this account. @param form the text with `{}` in its place. Empty where nothing can */
    underLock(form: string): string;
    /** The beginning of the ways to release a lock that this operation has left. */
    release(): string;
    /** The command that releases a lock. @param words its arguments, as in a shell */
    unlock(words: string): string;
    /** How to take the lock of an unlocked workspace. */
    relock(): string;
    /** How to roll back to the version that was current. */
    repeat(): string;
    /** How to wait longer. */
    longer(): string;
}

/** The words for programs. */
export const inProgram: Steps = {
    subject: (name) => name,
    deployment: () => "The deployment",
    again: () => "`pulumi up`",
    reread: () => "`pulumi refresh`",
    versions: () => "`getStateVersions`",
    forget: (lead) => `${lead}run \`pulumi state delete <urn>\``,
    option: (text) => text,
    about: (input) => `${input}: `,
    underLock: (form) => form.replace("{}", "set `lock: false`"),
    release: () => "run `pulumi up` again, which unlocks it, or run ",
    unlock: (words) => `\`npx pulumi-statecraft unlock ${words}\``,
    relock: () => "set `lock: true`, or lock it with that account",
    repeat: () => "change `triggers` of its StateVersionRollback, or declare one, and run `pulumi up`",
    longer: () => "set longer `timeouts`",
};

const names = Object.keys(inProgram) as (keyof Steps)[];
const placeholder = (name: string) => [name, (argument = "") => `\uE000${name}\uE001${argument}\uE002`] as const;
const form = new RegExp(`\uE000(${names.join("|")})\uE001(.*?)\uE002`, "gs");

/** A placeholder for the words of the host in a message. */
export const step = Object.fromEntries(names.map(placeholder)) as Readonly<
    Record<keyof Steps, (argument?: string) => string>
>;

/** A message in the words of a host. */
export const inWords = (text: string, steps: Steps): string =>
    text.replace(form, (_, name: keyof Steps, argument: string) => steps[name](argument));

/** A text that a server or a program chose, as one word of a POSIX shell: quoted, unless it consists of harmless characters. */
export function shellWord(text: string): string {
    return /^[\w@:./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
