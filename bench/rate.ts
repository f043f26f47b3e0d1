/**
 * How near one client comes to the rate that a server allows: each of 500 roles is looked at, written and read back as its provider does it,
 * all roles at once, against a server that allows 30 requests a second and says so in one of three ways.
 */

import { operation } from "../src/core/operation";
import { createClient } from "../src/http/client";
import { manager } from "../src/services/manager/service";
import { Simulator } from "../test/support/simulator";
import { atLeast, atMost, type Measurement } from "./measurement";

const read = operation("GET /v1/auth/clouda/role/{name}");
const write = operation("POST /v1/auth/clouda/role/{name}", "always");

const [roles, allowed] = [500, 30];

/** Requests a second that the server did not refuse, and how many roles failed. */
async function rateWith(hint: string): Promise<{ readonly rate: number; readonly failed: number }> {
    const simulator = await Simulator.start({});
    try {
        await simulator.control("PUT", "/simulator/rate-limit", { requestsPerSecond: allowed, hint });
        const client = createClient(manager, { address: simulator.url, token: "any" });
        const make = async (name: string) => {
            const parameters = { name };
            await client.call(read, { parameters }).catch(() => undefined);
            await client.call(write, { parameters, body: { bound_locations: "north" } });
            await client.call(read, { parameters });
        };
        const begun = performance.now();
        const ends = await Promise.allSettled(Array.from({ length: roles }, (_, number) => make(`role-${number}`)));
        const seconds = (performance.now() - begun) / 1000;
        const answered = (await simulator.requests()).filter(({ status }) => status !== 429).length;
        return { rate: answered / seconds, failed: ends.filter(({ status }) => status === "rejected").length };
    } finally {
        await simulator.close();
    }
}

export async function measure(): Promise<Measurement[]> {
    const measured: Measurement[] = [];
    for (const hint of ["x-ratelimit-reset", "retry-after", "none"]) {
        const { rate, failed } = await rateWith(hint);
        // Whole seconds, or a guess, leave gaps: half of the rate is what may be asked of all three.
        const how = hint === "none" ? "without a word when to come again" : `with ${hint}`;
        measured.push(
            atLeast("Client", `share of a limited rate that is used, server ${how}`, rate / allowed, 0.5),
            atMost("Client", `roles of ${roles} that fail at a limited rate, server ${how}`, failed, 0),
        );
    }
    return measured;
}
