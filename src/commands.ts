/**
 * What a user does next, in the words of the host. Messages hold the names; each runtime puts its own words in their place.
 *
 * | name        | a Pulumi program reads        | a script reads          |
 * | ----------- | ----------------------------- | ----------------------- |
 * | `{up}`      | `pulumi up`                   | `create` or `update`    |
 * | `{refresh}` | `pulumi refresh`              | `read`                  |
 * | `{destroy}` | `pulumi destroy`              | `delete`                |
 * | `{preview}` | `pulumi preview`              | a lookup                |
 * | `{replace}` | `pulumi up --replace <urn>`   | `delete` and `create`   |
 * | `{forget}`  | `pulumi state delete`         | dropping its outputs    |
 *
 * `{own}` is a sentence that says what to do where an object is the user's own already. `{set vault.address}`,
 * `{set vault.address=https://vault.example}` and `{setSecret vault.token}` begin a sentence that says how to set that setting.
 */

/** The words of a host for what its user can do. */
export type Commands = Readonly<Record<(typeof names)[number], string>>;

const names = ["up", "refresh", "destroy", "preview", "replace", "forget", "own", "set", "setSecret"] as const;

/** The name of a command in a text. */
export type CommandName = (typeof names)[number];

/** The words of Pulumi's users. */
export const pulumiCommands: Commands = {
    up: "`pulumi up`",
    refresh: "`pulumi refresh`",
    destroy: "`pulumi destroy`",
    preview: "`pulumi preview`",
    replace: "`pulumi up --replace <urn>`",
    forget: "`pulumi state delete`",
    own: "If it is this stack's own, a resource that was renamed needs the resource option `aliases`, and one that is replaced by force (`--replace`, `replaceOnChanges`, `replacementTrigger`) needs `deleteBeforeReplace: true`",
    set: "Run `pulumi config set --path 'statecraft:<setting>' <value>`",
    setSecret: "Run `pulumi config set --path 'statecraft:<setting>' --secret`",
};

/** The words for programs with an explicit provider, which does not get the stack's configuration. */
export const providerCommands: Commands = {
    ...pulumiCommands,
    set: "Give the provider the argument `<setting>`",
    setSecret: "Give the provider the argument `<setting>`",
};

/** The words of scripts. */
export const scriptCommands: Commands = {
    up: "`create` or `update`",
    refresh: "`read`",
    destroy: "`delete`",
    preview: "a lookup",
    replace: "`delete` and `create`",
    forget: "dropping its outputs",
    own: "If it is your own, use `update` or `delete` with its id",
    set: "Give `connect` the setting `<setting>`",
    setSecret: "Give `connect` the setting `<setting>`",
};

const pattern = new RegExp(`\\{(${names.join("|")})(?: ([^{}]+))?\\}`, "g");

/** Whether a gap in a text is the name of a command. */
export const isCommand = (name: string): name is CommandName => names.some((known) => known === name);

/** A text in the words of a host. */
export function inWordsOf(commands: Commands, text: string): string {
    return text.replace(pattern, (whole, name: string, written = "") => {
        const [, setting = "", value = "…"] = /^([^=]*)(?:=(.*))?$/.exec(written) ?? [];
        const words = isCommand(name) ? commands[name] : whole;
        return words.replace("<setting>", () => setting).replace("<value>", () => value);
    });
}
