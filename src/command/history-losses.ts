/** The versions of many workspaces, or those that lost resources: `npx pulumi-statecraft history 'acme/*' --lost`. */

import type { Context } from "../core/context";
import { shellWord } from "../core/steps";
import { asStatecraftError, StatecraftError, sentencesOf } from "../errors";
import { listWorkspaces, readWorkspace } from "../services/state-versions/get-workspace";
import type { Reference } from "./arguments";
import { countedIn, createdAtOf, type Row, recordOf, sumOf, tableOf } from "./history-rows";

/** A workspace whose versions are listed. */
export type Place = Pick<
    Awaited<ReturnType<typeof listWorkspaces>>[number],
    "id" | "organization" | "name" | "currentStateVersionId"
>;

interface Wanted {
    readonly reference: Reference;
    /** Only rows that lost at least so many resources, or are not compared. Default: all rows. */
    readonly lost?: number | undefined;
    readonly json?: true | undefined;
    readonly program: string;
}

type Named = Extract<Reference, { readonly name: string }>;
export const isPattern = (reference: Reference): reference is Named =>
    "name" in reference && reference.name.includes("*");

/** The workspace of a reference, or those whose names match its pattern. */
async function placesOf(context: Context, reference: Reference): Promise<readonly Place[]> {
    if (!isPattern(reference)) return [{ ...(await readWorkspace(context, reference)), ...reference }];
    const { organization, name: pattern } = reference;
    const form = new RegExp(`^${pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("\\*", ".*")}$`);
    const matching = (await listWorkspaces(context, organization)).filter(({ name = "" }) => form.test(name));
    if (matching.length > 0) return matching.map((place) => ({ ...place, organization }));
    const hint = "Check the pattern, and that the token may see the workspaces";
    throw new StatecraftError("absent", `no workspace matches ${organization}/${pattern}`, { hint });
}

/** Reads the workspaces one after the other. `isFailure` if one was not read or, with `lost`, a loss is found or cannot be ruled out. */
export async function lossLines(
    context: Context,
    { reference, lost, json, program }: Wanted,
    rowsIn: (place: Place) => Promise<readonly Row[]>,
): Promise<{ readonly lines: readonly string[]; readonly isFailure: boolean }> {
    const places = await placesOf(context, reference);
    const all: (Row & { readonly workspace: string })[] = [];
    const unread: { readonly workspace: string; readonly code: string; readonly message: string }[] = [];
    for (const [index, place] of places.entries()) {
        const workspace = `${place.organization}/${place.name}`;
        if (process.stderr.isTTY) context.progress(`${workspace}, ${index + 1} of ${places.length} workspaces`);
        try {
            all.push(...(await rowsIn(place)).map((row) => ({ ...row, workspace })));
        } catch (error) {
            const failure = asStatecraftError(error);
            unread.push({ workspace, code: failure.code, message: sentencesOf(failure) });
        }
    }
    const isKnown = all.every((row) => row.isCompared) || all.some((row) => row.previous ?? countedIn(row.version));
    if (lost !== undefined && !isKnown)
        context.warn("content", "no loss is known: `--count` counts resources where the server does not");
    const rows = all
        .filter((row) => lost === undefined || (isKnown && !row.isCompared) || sumOf(row.lost ?? []) >= lost)
        .sort((one, other) => createdAtOf(other.version) - createdAtOf(one.version))
        .map((row) => {
            const { workspace, previous, isCompared } = row;
            const rollback = row.lost?.length && previous && `${program} rollback ${shellWord(workspace)} ${previous}`;
            return { ...row, ...(rollback && { rollback }), below: isCompared ? [rollback || ""] : ["not counted"] };
        });
    const isFailure = unread.length > 0 || (lost !== undefined && (rows.length > 0 || !isKnown));
    const records = rows.map(({ below: _, ...row }) => ({ ...recordOf(row), isCompared: row.isCompared }));
    if (json) return { lines: [JSON.stringify([...records, ...unread])], isFailure };
    const missed = unread.map(({ workspace, code, message }) => `${workspace} is not read: ${message} [${code}]`);
    const none = `${lost === undefined ? "No version" : "No loss"} in the workspaces that were read: ${places.length - unread.length}.`;
    const table = rows.length > 0 ? tableOf(rows) : isFailure ? [] : [none];
    return { lines: [...table, ...missed], isFailure };
}
