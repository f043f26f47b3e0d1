/** What the scheduler's refusals mean. It says everything in plain text, mostly with the status 500: only the text tells a wrong argument from a fault. */

import { reworded, ServiceError } from "../../errors";

interface Refusal {
    readonly says: RegExp;
    /** What to do next; `plugin` is the volume's plugin, in quotes. */
    readonly hint: (plugin: string) => string;
}

const refusals: readonly Refusal[] = [
    {
        says: /^volume exists/,
        hint: () =>
            "The service does not change a registered volume: to take it over, `adopt: true` needs every field to match",
    },
    {
        says: /no CSI plugin named/,
        hint: (plugin) =>
            `No node runs the plugin ${plugin}: check \`pluginId\`, and that the plugin's job is running and healthy`,
    },
    {
        says: /no healthy controllers/,
        hint: (plugin) =>
            `The plugin ${plugin} is known, but none of its controllers is healthy: check the plugin's job`,
    },
    {
        says: /must include at least one capability block/,
        hint: () =>
            "This server wants to know how the volume may be used, which the document does not provide for: set `vocabulary` to " +
            "`product` in the settings of the volumes service, and give `accessMode` and `attachmentMode`, or `capabilities`",
    },
    {
        says: /is in nonexistent namespace/,
        hint: () => "Create the namespace first, or correct `namespace`",
    },
    {
        says: /controller validate volume/,
        hint: () =>
            "The storage provider does not take the volume: check that `externalId` exists there, and that it allows these modes",
    },
    {
        says: /capabilities update was not compatible/,
        hint: () =>
            "The volume is in use: keep the modes in use among its capabilities, or stop the jobs that use it first",
    },
    {
        says: /can not update mount options while volume is in use/,
        hint: () => "Stop the jobs that use the volume first, or leave `mountOptions` as they were",
    },
    {
        says: /volume [\w ]+ cannot be updated|topology request update was not compatible/,
        hint: () =>
            "The volume is registered with another value, which the service does not change: declare the value that it has, or " +
            "replace the volume (`pulumi up --replace <urn>`), which registers it anew and leaves the storage as it is",
    },
    {
        says: /expand is not implemented/,
        hint: (plugin) =>
            `The plugin ${plugin} cannot enlarge volumes: leave \`capacityMin\` and \`capacityMax\` as they were`,
    },
    {
        says: /^No path to region/,
        hint: () => "The service knows no such region: correct `region` in the settings of the volumes service",
    },
    {
        says: /\bEOF$/,
        hint: (plugin) =>
            `The plugin ${plugin} broke off while the service asked it about the volume, which is all that these words say: look at the log of ` +
            "the plugin's controller, and whether the plugin's version fits the server's",
    },
    {
        says: /^Permission denied/,
        hint: () =>
            "The token is invalid, or lacks a right: registering needs csi-write-volume in the namespace, and on some servers the right to read plugins",
    },
];

/** Adds to a refusal what can be done about it. What no text explains stays as it is. */
export function explained(error: unknown, pluginId: unknown): unknown {
    if (!(error instanceof ServiceError)) return error;
    const reason = error.reasons.join(" ");
    const known = refusals.find(({ says }) => says.test(reason));
    return known === undefined ? error : reworded(error, { hint: known.hint(JSON.stringify(pluginId)) });
}
