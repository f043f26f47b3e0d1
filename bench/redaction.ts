/**
 * How long a long secret holds up everything else: `npx ts-node --transpile-only bench/redaction.ts [MiB of the state] [KiB of the answer]`,
 * by default 64 and 64. A state is uploaded, and a server in a process of its own refuses it and quotes parts of it in many spellings.
 * Meanwhile nothing may wait for its turn longer than 0.2 s. No test, because time depends on the machine.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "../src/errors";
import { createClient } from "../src/http/client";
import { stateVersions } from "../src/services/state-versions/service";

const longestDelay = 200;
const spellings: readonly ((part: Buffer) => string)[] = [
    (part) => part.toString(),
    (part) => JSON.stringify(part.toString()),
    (part) => part.toString("base64"),
    (part) => part.toString("hex"),
    (part) => encodeURIComponent(part.toString()),
];

/** Every resource holds a password of its own. */
function state(bytes: number): Buffer {
    const parts: string[] = [];
    for (let length = 0, number = 0; length < bytes; number++) {
        const password = Math.imul(number, 2_654_435_761).toString(36);
        const part = `{"type":"server","name":"server-${number}","password":"pw-${password}-${number}"},\n`;
        parts.push(part);
        length += part.length;
    }
    return Buffer.from(parts.join("").slice(0, bytes));
}

/** Refuses what it is sent and quotes parts of it, as many as the answer holds. */
async function serve(answerBytes: number): Promise<void> {
    const server = createServer(async (request, answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const content = Buffer.concat(chunks);
        const errors: object[] = [];
        for (let length = 0; length < answerBytes; ) {
            const at = (errors.length * 7_919_993) % content.length;
            const spell = spellings[errors.length % spellings.length] ?? String;
            const detail = `the state is invalid here: ${spell(content.subarray(at, at + 2000))} and so on`;
            errors.push({ status: "422", title: "invalid", detail });
            length += detail.length;
        }
        answer.writeHead(422, { "content-type": "application/vnd.api+json" }).end(JSON.stringify({ errors }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    process.send?.((server.address() as AddressInfo).port);
    process.once("disconnect", () => process.exit());
}

async function main([mebibytes = "64", kibibytes = "64"]: readonly string[]): Promise<void> {
    const server = fork(__filename, ["serve", kibibytes], { execArgv: process.execArgv });
    const [port] = await once(server, "message");
    try {
        const content = state(Number(mebibytes) * 1024 ** 2);
        const client = createClient(stateVersions, { address: `http://127.0.0.1:${port}/api/v2`, token: "any" });
        for (const round of ["first", "second"]) {
            const delay = monitorEventLoopDelay({ resolution: 5 });
            const before = process.cpuUsage();
            const begun = performance.now();
            delay.enable();
            const error = await client.upload("/object", content).then(
                () => undefined,
                (reason: unknown) => reason,
            );
            const seconds = (performance.now() - begun) / 1000;
            const cpu = process.cpuUsage(before).user / 1e6;
            // A delay is counted when it is over and its turn has come.
            await sleep(50);
            delay.disable();
            const longest = delay.max / 1e6;
            if (!(error instanceof ServiceError)) throw error;
            const leaks = error.reasons.filter((reason) => /pw-|password/.test(reason)).length;
            console.log(
                `${round}: state of ${mebibytes} MiB, answer of ${kibibytes} KiB: ${seconds.toFixed(1)} s (CPU ${cpu.toFixed(1)} s), ` +
                    `longest delay ${longest.toFixed(0)} ms (${longest < longestDelay ? "held" : "missed"}), ` +
                    `${error.reasons.length} reasons, ${leaks} with a part of the state`,
            );
        }
    } finally {
        server.disconnect();
    }
}

const [mode, ...rest] = process.argv.slice(2);
void (mode === "serve" ? serve(Number(rest[0]) * 1024) : main(process.argv.slice(2)));
