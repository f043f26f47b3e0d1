/**
 * Measures the HTTP client: CPU of a call compared with the same call by axios over a kept-alive connection, the number of connections of many
 * parallel calls, and their throughput compared with the limit that the server's latency sets.
 */

import { Agent } from "node:http";
import axios from "axios";
import { endpoint } from "../src/core/endpoint";
import { redacted } from "../src/core/redaction";
import { createClient } from "../src/http/client";
import type { ClientSettings } from "../src/http/client-context";
import { manager } from "../src/services/manager/service";
import { type Figure, inTurns, median, ratio } from "./figures";
import { startStub } from "./stub-server";

const show = endpoint("GET /v1/auth/clouda/role/{name}");
const write = endpoint("POST /v1/auth/clouda/role/{name}", "always");
const role = {
    bound_resource_groups: ["prod"],
    bound_locations: ["north", "south"],
    token_policies: ["web", "base"],
    token_ttl: 3600,
    token_max_ttl: 7200,
    token_type: "default",
};

const client = (address: string, settings: Partial<ClientSettings> = {}) =>
    createClient(manager, { address, token: "any", maxRetries: 0, ...settings });

/** CPU seconds that this process has used. */
async function cpuOf(run: () => Promise<unknown>): Promise<number> {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
}

/** Makes `count` calls in sequence. */
async function calls(count: number, call: () => Promise<unknown>): Promise<void> {
    for (let number = 0; number < count; number++) await call();
}

/** CPU of the client's calls divided by that of axios. */
async function cpuRatio(): Promise<string> {
    const stub = await startStub();
    const ours = client(stub.address);
    const raw = axios.create({
        httpAgent: new Agent({ keepAlive: true, maxSockets: 10 }),
        maxRedirects: 0,
        proxy: false,
    });
    const headers = { "X-Secrets-Token": "any" };
    const url = `${stub.address}/v1/auth/clouda/role/web`;
    const parameters = { name: "web" };
    const contenders = {
        ours: async () => {
            await ours.call(write, { parameters, body: role });
            await ours.call(show, { parameters });
        },
        raw: async () => {
            await raw.post(url, role, { headers });
            await raw.get(url, { headers });
        },
    };
    try {
        // The first calls only warm the compiler up.
        for (const call of Object.values(contenders)) await calls(500, call);
        const seconds = await inTurns(9, {
            ours: () => cpuOf(() => calls(500, contenders.ours)),
            raw: () => cpuOf(() => calls(500, contenders.raw)),
        });
        return ratio(seconds.ours, seconds.raw);
    } finally {
        stub.close();
    }
}

const concurrency = 10;
/** Milliseconds. The server reports the real latency. */
const latency = 20;

/** Calls per second divided by the limit of the latency, and the number of connections. */
async function many(): Promise<{ throughput: number; sockets: number }> {
    const stub = await startStub(latency);
    const ours = client(stub.address, { maxConcurrency: concurrency });
    const atOnce = (count: number) =>
        Promise.all(Array.from({ length: count }, () => ours.call(write, { parameters: { name: "web" }, body: role })));
    try {
        // The first calls only warm the compiler up.
        await atOnce(500);
        const count = 1_000;
        const once = async () => {
            await stub.counted();
            const begun = performance.now();
            await atOnce(count);
            const perSecond = count / ((performance.now() - begun) / 1000);
            const { connections, waited } = await stub.counted();
            return { throughput: perSecond / ((concurrency * 1000) / (waited / count)), sockets: connections };
        };
        const { rounds } = await inTurns(5, { rounds: once });
        return {
            throughput: median(rounds.map(({ throughput }) => throughput)),
            sockets: Math.max(...rounds.map(({ sockets }) => sockets)),
        };
    } finally {
        stub.close();
    }
}

/** Seconds until a secret of 1,000,000 characters is removed from a text of the server that quotes it as JSON. */
async function redactionSeconds(): Promise<string> {
    const line = 'MIIEpAIBAAKCAQEA "7Zq" +/xV=\n';
    const secret = line.repeat(Math.ceil(1_000_000 / line.length)).slice(0, 1_000_000);
    const quotation = JSON.stringify(secret);
    const { rounds } = await inTurns(5, {
        rounds: () =>
            cpuOf(async () => {
                if (redacted(quotation, [secret]) !== '"[secret]"') throw new Error("the secret is not removed");
            }),
    });
    return `${median(rounds).toFixed(2)} s`;
}

/** Measures everything about the client. */
export async function measure(): Promise<Figure[]> {
    const cpu = await cpuRatio();
    const { throughput, sockets } = await many();
    const redaction = await redactionSeconds();
    return [
        ["CPU of a call, beside the same call by axios alone", cpu],
        [`connections of 1,000 calls at once where ${concurrency} are allowed`, String(sockets)],
        [`calls a second at ${latency} ms latency, beside what the latency allows`, throughput.toFixed(2)],
        ["CPU of removing a secret of 1,000,000 characters from a text that quotes it", redaction],
    ];
}
