/**
 * The steps that messages name in other words in a program than in a command. A message contains `step.again()`, whatever its host is, and
 * `Voice` puts the words of the host there.
 */

/** The words of one host. */
export interface Steps {
    /** Names the resource. @param name such as `AuthRole web` */
    subject(name: string): string;
    /** What a preview tells of. */
    deployment(): string;
    /** The command that runs the operation again. */
    again(): string;
    /** What reads the object again. */
    reread(): string;
    /** What lists the versions of the workspace. */
    versions(): string;
    /** The last of several ways: removes the object from state. @param lead joins it to the ways before. Empty where no state has the object */
    forget(lead: string): string;
    /** An option. @param text as in a program, such as `only` or `keepLocked: true` */
    option(text: string): string;
    /** The beginning of the message about an input. */
    about(input: string): string;
    /** The condition under which a resource works under a lock. @param way the input that says so */
    isYours(way: string): string;
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
    isYours: (way) => `set \`${way}\` if the lock is yours: `,
    relock: () => "set `lock: true`, or lock it with that account",
    repeat: () => "change `triggers` of its StateVersionRollback, or declare one, and run `pulumi up`",
    longer: () => "set longer `timeouts`",
};

const names = Object.keys(inProgram) as (keyof Steps)[];
const placeholder = (name: string) => [name, (argument = "") => `\uE000${name}\uE001${argument}\uE002`] as const;
const form = new RegExp(`\uE000(${names.join("|")})\uE001(.*?)\uE002`, "gs");

/** What stands for the words of the host in a message. */
export const step = Object.fromEntries(names.map(placeholder)) as Readonly<
    Record<keyof Steps, (argument?: string) => string>
>;

/** A message in the words of a host. */
export const inWords = (text: string, steps: Steps): string =>
    text.replace(form, (_, name: keyof Steps, argument: string) => steps[name](argument));
