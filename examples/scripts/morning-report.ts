/**
 * What somebody should look at in the secrets manager this morning, and a role for the time of one piece of work. Scripts use
 * the client, which needs no Pulumi:
 *
 *     npx ts-node morning-report.ts
 */
import { type Connection, connect, DeniedError } from "pulumi-statecraft/client";

/** Roles that every machine of the tenant may use, and snapshots that failed: a line for each. */
export async function report(client: Connection): Promise<string[]> {
    const lines: string[] = [];
    for (const name of (await client.getAuthRoles({})).names) {
        const role = await client.getAuthRole({ name });
        const bounds = Object.entries(role).filter(([field]) => field.startsWith("bound"));
        if (bounds.every(([, list]) => Array.isArray(list) && list.length === 0)) {
            lines.push(`role ${name}: every machine of the tenant can log in`);
        }
    }
    for (const name of (await client.getSnapshotConfigs({})).names) {
        const { lastSnapshotError } = await client.getSnapshotStatus({ name });
        if (lastSnapshotError) lines.push(`snapshots ${name}: ${lastSnapshotError}`);
    }
    return lines;
}

/** A role for the time of one piece of work. Like a resource it is refused where it exists already, and like one it is deleted. */
export async function withRole<Result>(client: Connection, name: string, work: () => Promise<Result>): Promise<Result> {
    const { id } = await client.authRole.create({
        name,
        boundLocations: ["north"],
        tokenPolicies: [name],
        tokenTtl: "15m",
    });
    try {
        return await work();
    } finally {
        await client.authRole.delete(id);
    }
}

if (require.main === module) {
    // Addresses and tokens come from the environment; `connect({ vault: { address, token } })` names them here instead.
    report(connect()).then(
        (lines) => console.log(lines.join("\n") || "nothing to look at"),
        (error: Error) => {
            // One readable paragraph, as in Pulumi. Scripts branch on the class, or on `code`.
            console.error(error.message);
            process.exitCode = error instanceof DeniedError ? 2 : 1;
        },
    );
}
