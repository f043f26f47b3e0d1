/**
 * A key service for the stacks of tests. From a passphrase the engine computes the key of a stack anew in each command, which takes as long as
 * all else that it does; this service tells it. It guards nothing: a key that it has wrapped is the same key.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** What the engine knows it by, as its secrets provider. */
export const secretsProvider = "hashivault://key";

let running: Promise<Readonly<Record<string, string>>> | undefined;

/** The environment of a command that uses it. It runs as long as this process. */
export function keyService(): Promise<Readonly<Record<string, string>>> {
    running ??= start();
    return running;
}

async function start(): Promise<Readonly<Record<string, string>>> {
    const server = createServer(async (request, response) => {
        const { plaintext, ciphertext } = (await json(request)) as { plaintext?: string; ciphertext?: string };
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ data: { plaintext: ciphertext, ciphertext: plaintext } }));
    });
    server.listen(0, "127.0.0.1").unref();
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const name = "VAULT_SERVER";
    return { [`${name}_URL`]: `http://127.0.0.1:${port}`, [`${name}_TOKEN`]: "any" };
}
