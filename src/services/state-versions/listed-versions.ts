/**
 * Reading a version while others of its workspace are read too: pages of one list serve them all, with the result of reading one by one.
 *
 * | what a read tells                                         | with a list it is taken from  |
 * | --------------------------------------------------------- | ----------------------------- |
 * | a version that holds its content, before and now          | the list                      |
 * | any other, and what the list lacks of a version           | a read of this version        |
 * | an import, which does not know the workspace              | a read of this version        |
 *
 * A history may be long: see `Listing`. A page that fails serves nobody: each version is read, and fails or not, by itself.
 */

import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { servesFor, unlessFailed } from "../../core/shared-reads";
import { isRecord } from "../../schema/unknown";
import { holdsContent, type KnownVersion, readVersion, type StateVersion, versionWith } from "./records";
import { mostPages, namesIn, readPage } from "./version-list";
import { readWorkspace } from "./workspace-records";

// A page that does not come at once would keep waiting whoever can be read without it.
const listVersions = operation("GET /state-versions", "refused");
const showWorkspace = operation("GET /workspaces/{workspaceId}", "refused");

/** So many requests a list may cost more than it saves. */
const mostLost = 3;

/**
 * A version by its id.
 * @param workspaceId its workspace, where that is known
 * @param known what its record told before
 */
export function readAmongOthers(
    context: RequestContext,
    id: string,
    workspaceId: string | undefined,
    known: KnownVersion,
): Promise<StateVersion> {
    const alone = () => readVersion(context, id);
    // State may have been edited.
    if (typeof workspaceId !== "string" || !holdsContent(known)) return alone();
    return context.shared.listed(`versions of ${workspaceId}`, {
        alone,
        list: async () => new Listing(workspaceId),
        seconds: untilWritten,
        find: async (listing) => (await listing.find(context, id, known)) ?? alone(),
    });
}

/** What a read would tell, or `undefined` where an entry of the list does not say. */
function toldBy(entry: unknown, known: KnownVersion): StateVersion | undefined {
    const version = versionWith(entry, known);
    return version && holdsContent(version) ? version : undefined;
}

/** What is known of a list serves until this process writes; its pages do for seconds. */
const untilWritten = Number.POSITIVE_INFINITY;

/**
 * The pages of a workspace's list, each asked for when a read may need it. The list begins with the newest version. Where the first page
 * told nobody, the last one comes next: what a stack has made is read in the order in which it was made.
 */
class Listing {
    private names: ReturnType<typeof namesIn>;
    /** On which page a version was seen. */
    private readonly seen = new Map<string, number>();
    /** Pages that were not asked for, in their turn. */
    private left: readonly number[] = [1];
    /** How many reads have come. */
    private reads = 0;
    /** Versions that wait to be told, and what is known of them. */
    private readonly waiting = new Map<string, KnownVersion>();
    /** Requests by which no read was saved so far. */
    private lost = 0;

    constructor(private readonly workspaceId: string) {}

    /** A version as the list tells it, or `undefined` where it does not, or where looking further may not pay. */
    async find(context: RequestContext, id: string, known: KnownVersion): Promise<StateVersion | undefined> {
        this.reads += 1;
        this.waiting.set(id, known);
        for (;;) {
            const seen = this.seen.get(id);
            const number = seen ?? this.next();
            const page = number === undefined ? undefined : await this.page(context, number);
            const found = page?.get(id);
            if (found === undefined && page !== undefined && seen === undefined) continue;
            this.tell(id, found);
            return toldBy(found, known);
        }
    }

    /** The page to ask for, unless that may cost too much for as many reads as have come. */
    private next(): number | undefined {
        return this.lost < Math.min(this.reads, mostLost) ? this.left[0] : undefined;
    }

    private page(context: RequestContext, number: number): Promise<ReadonlyMap<string, unknown> | undefined> {
        const name = `page ${number} of the versions of ${this.workspaceId}`;
        return context.shared.once(name, () => this.ask(context, number), servesFor);
    }

    private async ask(context: RequestContext, number: number): Promise<ReadonlyMap<string, unknown> | undefined> {
        const answer = await this.request(context, number).catch(unlessFailed);
        if (answer === undefined) return undefined;
        const isFirst = this.left[0] === 1;
        // The first one needed the names, too.
        this.lost += isFirst ? 2 : 1;
        const page = new Map(
            answer.data.flatMap((item) =>
                isRecord(item) && typeof item["id"] === "string" ? [[item["id"], item]] : [],
            ),
        );
        const before = this.waiting.size;
        for (const [id, entry] of page) {
            this.seen.set(id, number);
            this.tell(id, entry);
        }
        if (!isFirst) this.left = this.left.filter((other) => other !== number);
        else {
            const others = Array.from({ length: Math.min(answer.total ?? 1, mostPages) - 1 }, (_, index) => index + 2);
            this.left = this.waiting.size < before ? others : others.reverse();
        }
        return page;
    }

    private async request(context: RequestContext, number: number) {
        this.names ??= namesIn(await readWorkspace(context, this.workspaceId, showWorkspace));
        return this.names && readPage(context, this.names, number, listVersions);
    }

    /** A version waits no more. One that an entry tells has no request of its own. */
    private tell(id: string, entry: unknown): void {
        const known = this.waiting.get(id);
        if (known && toldBy(entry, known)) this.lost = Math.max(0, this.lost - 1);
        this.waiting.delete(id);
    }
}
