/**
 * Lets Node's HTTP server take the method `LIST`. Its parser does not know it, but knows the obsolete `LINK`, which has as many letters and
 * is sent by nobody. So `LIST` becomes `LINK` in the request line, and nothing else of a request changes.
 *
 * | the connection is            | bytes                                      | next                             |
 * |------------------------------|--------------------------------------------|----------------------------------|
 * | at the beginning of a request | line ends                                  | the same                         |
 * | at the beginning of a request | the next letter of `LIST`                  | one letter on; after four inside |
 * | at the beginning of a request | anything else                              | inside                           |
 * | inside a request             | anything                                   | inside; after its end: beginning |
 *
 * A client that sends its next request before the last one was read whole (pipelining) gets 400 for a `LIST`.
 */

import type { Server } from "node:http";
import type { Duplex } from "node:stream";

const written = Buffer.from("LIST");
const parsed = Buffer.from("LINK");
const inside = written.length;

/** Makes a server take `LIST`, and show it as the method of its requests. Call it after the server has its listener. */
export function acceptList(server: Server): void {
    /** How many letters of `LIST` the current request has begun with. */
    const letters = new WeakMap<Duplex, number>();
    server.on("connection", (socket) => {
        letters.set(socket, 0);
        // Before the server's own listener, which hands the same bytes to the parser.
        socket.prependListener("data", (bytes: Buffer) => {
            letters.set(socket, rewrite(bytes, letters.get(socket) ?? inside));
        });
    });
    server.prependListener("request", (message) => {
        if (message.method === parsed.toString()) message.method = written.toString();
        message.once("end", () => letters.set(message.socket, 0));
    });
}

function rewrite(bytes: Buffer, begun: number): number {
    let count = begun;
    for (let index = 0; count < inside && index < bytes.length; index += 1) {
        const byte = bytes.readUInt8(index);
        if (count === 0 && (byte === 0x0d || byte === 0x0a)) continue;
        if (byte !== written[count]) return inside;
        bytes.writeUInt8(parsed.readUInt8(count), index);
        count += 1;
    }
    return count;
}
