/**
 * How near one client comes to the rate that a server allows: `npx ts-node bench/rate.ts [resources] [requests a second]`, by default
 * 500 roles and 30 requests a second. Each role is looked at, written and read back as its provider does it, all roles at once.
 */

import { operation } from "../src/core/operation";
import { createClient } from "../src/http/client";
import { manager } from "../src/services/manager/service";
import { Simulator } from "../test/support/simulator";

const read = operation("GET /v1/auth/clouda/role/{name}");
const write = operation("POST /v1/auth/clouda/role/{name}", "always");

async function main([resources = "500", allowed = "30"]: readonly string[]): Promise<void> {
    for (const hint of ["x-ratelimit-reset", "retry-after", "none"]) {
        const simulator = await Simulator.start({});
        try {
            await simulator.control("PUT", "/simulator/rate-limit", { requestsPerSecond: Number(allowed), hint });
            const client = createClient(manager, { address: simulator.url, token: "any" });
            const make = async (name: string) => {
                const parameters = { name };
                await client.call(read, { parameters }).catch(() => undefined);
                await client.call(write, { parameters, body: { bound_locations: "north" } });
                await client.call(read, { parameters });
            };
            const begun = performance.now();
            const ends = await Promise.allSettled(
                Array.from({ length: Number(resources) }, (_, number) => make(`role-${number}`)),
            );
            const seconds = (performance.now() - begun) / 1000;
            const requests = await simulator.requests();
            const refused = requests.filter(({ status }) => status === 429).length;
            const failed = ends.filter(({ status }) => status === "rejected").length;
            const rate = (requests.length - refused) / seconds;
            console.log(
                `${resources} roles, ${allowed} requests/s, hint ${hint}: ${seconds.toFixed(0)} s, ` +
                    `${rate.toFixed(1)} requests/s, ${refused} refused, ${failed} failed`,
            );
        } finally {
            await simulator.close();
        }
    }
}

void main(process.argv.slice(2));
