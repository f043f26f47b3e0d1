/**
 * A report about a Vault server, and a temporary role. Scripts use the client, which needs no Pulumi:
 *
 *     npx ts-node morning-report.ts
 */
import { type Connection, connect, DeniedError } from "pulumi-statecraft/client";

/** A line for each role that rejects every login, and for each failed snapshot. */
export async function report(client: Connection): Promise<string[]> {
    const lines: string[] = [];
    for (const name of (await client.getAuthRoles({})).names) {
        const { boundServicePrincipalIds, boundGroupIds } = await client.getAuthRole({ name });
        if (boundServicePrincipalIds.length + boundGroupIds.length === 0) {
            lines.push(`role ${name}: bound to neither service principals nor groups, so no machine can log in`);
        }
    }
    for (const name of (await client.getSnapshotConfigs({})).names) {
        const { lastSnapshotError } = await client.getSnapshotStatus({ name });
        if (lastSnapshotError) lines.push(`snapshots ${name}: ${lastSnapshotError}`);
    }
    return lines;
}

/** Creates a role, calls `work`, and deletes the role. Fails if the role exists already. */
export async function withRole<Result>(client: Connection, name: string, work: () => Promise<Result>): Promise<Result> {
    const { id } = await client.authRole.create({
        name,
        boundServicePrincipalIds: ["9a1f0c5e-0000-4000-8000-000000000003"],
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
    // Reads VAULT_ADDR and VAULT_TOKEN. `connect({ vault: { address, token } })` takes them as arguments instead.
    report(connect()).then(
        (lines) => console.log(lines.join("\n") || "all is well"),
        (error: Error) => {
            // Errors have classes and a `code`.
            console.error(error.message);
            process.exitCode = error instanceof DeniedError ? 2 : 1;
        },
    );
}
