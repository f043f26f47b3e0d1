/**
 * A secrets provider for the stacks of tests, which imitates Vault's transit API. With a passphrase, the engine derives the key of a stack in
 * each command, which doubles the time of the command. This service does not encrypt: it returns the key unchanged.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** The argument of `pulumi stack init --secrets-provider`. */
export const secretsProvider = "hashivault://key";

let running: Promise<Readonly<Record<string, string>>> | undefined;

/** Starts the service once. Returns the environment variables with which a command uses it. It ends with this process. */
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
