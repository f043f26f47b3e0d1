/** What a rollback would change, for previews. */

import { knownResources, type ManagedResource, type StateVersion } from "./records";

/** Says which versions a rollback leads from and to, and which counted resources the state gains and loses. */
export function rollbackChange(
    workspaceId: string,
    current: StateVersion,
    target: StateVersion,
    isCopy: boolean,
): string {
    if (isCopy) {
        return `nothing to roll back now: ${described(current)}, which is current in ${workspaceId}, has the content of ${target.id} already`;
    }
    const change = `rolling back ${workspaceId} from ${described(current)} to ${described(target)}`;
    return `${change}: ${difference(current, target)}`;
}

function described({ id, serial, resources }: StateVersion): string {
    const total = resources.reduce((sum, { count }) => sum + count, 0);
    const counted = resources.length === 0 ? "" : `, ${total} ${total === 1 ? "resource" : "resources"}`;
    return `${id} (serial ${serial ?? "unknown"}${counted})`;
}

/** `+ server.a; - server.b`: what the state gains and loses. */
function difference(current: StateVersion, target: StateVersion): string {
    const unknown = [current, target].filter((version) => knownResources(version) === undefined);
    if (unknown.length > 0) {
        const ids = unknown.map(({ id }) => id).join(" and ");
        return `what it gains and loses cannot be told, because the service does not list the resources of ${ids}`;
    }
    const [now, then] = [countsOf(current), countsOf(target)];
    const gained = [...then].flatMap(([name, count]) => grown(name, count - (now.get(name) ?? 0)));
    const lost = [...now].flatMap(([name, count]) => grown(name, count - (then.get(name) ?? 0)));
    const parts = [gained.length > 0 ? `+ ${shortened(gained)}` : "", lost.length > 0 ? `- ${shortened(lost)}` : ""];
    return parts.filter((part) => part !== "").join("; ") || "the same resources, with other values";
}

function countsOf({ resources }: StateVersion): Map<string, number> {
    const counts = new Map<string, number>();
    for (const resource of resources) {
        const address = addressOf(resource);
        counts.set(address, (counts.get(address) ?? 0) + resource.count);
    }
    return counts;
}

/** Records say `root` for the outermost module. */
function addressOf({ module, type, name }: ManagedResource): string {
    const prefix = module === "" || module === "root" ? "" : `${module}.`;
    return `${prefix}${type}.${name}`;
}

function grown(name: string, by: number): string[] {
    if (by <= 0) return [];
    return [by === 1 ? name : `${name} (${by})`];
}

const most = 20;

function shortened(names: readonly string[]): string {
    const rest = names.length - most;
    return names.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
