/**
 * How long a long secret holds up everything else: a state of 64 MiB is uploaded, and a server in a process of its own refuses it and quotes
 * parts of it in many spellings, in an answer of 64 KiB. Meanwhile nothing may wait for its turn longer than 0.2 s.
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
import { atMost, type Measurement } from "./measurement";

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

/** The longest delay of anything else in milliseconds, and how many of the failure's reasons hold a part of the state. */
async function refused(address: string, content: Buffer): Promise<{ readonly delay: number; readonly leaks: number }> {
    const client = createClient(stateVersions, { address, token: "any" });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const error = await client.upload("/object", content).then(
        () => undefined,
        (reason: unknown) => reason,
    );
    // A delay is counted when it is over and its turn has come.
    await sleep(50);
    delay.disable();
    if (!(error instanceof ServiceError)) throw error;
    return { delay: delay.max / 1e6, leaks: error.reasons.filter((reason) => /pw-|password/.test(reason)).length };
}

export async function measure(): Promise<Measurement[]> {
    const server = fork(__filename, ["serve", "64"], { execArgv: process.execArgv });
    try {
        const [port] = await once(server, "message");
        const content = state(64 * 1024 ** 2);
        const runs: Awaited<ReturnType<typeof refused>>[] = [];
        for (let run = 0; run < 3; run++) runs.push(await refused(`http://127.0.0.1:${port}/api/v2`, content));
        const most = (figure: "delay" | "leaks") => Math.max(...runs.map((run) => run[figure]));
        return [
            atMost(
                "Client",
                "delay of anything else while a refused state of 64 MiB is searched",
                most("delay"),
                200,
                "ms",
            ),
            atMost("Client", "reasons of that refusal that hold a part of the state", most("leaks"), 0),
        ];
    } finally {
        server.disconnect();
    }
}

const [mode, kibibytes] = process.argv.slice(2);
if (require.main === module && mode === "serve") void serve(Number(kibibytes) * 1024);
