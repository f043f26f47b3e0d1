/**
 * Makes Node's HTTP server accept the method `LIST`. Its parser does not know that method, but knows the obsolete `LINK`, which is as long
 * and which no client of the simulator sends. So `LIST` becomes `LINK` in the request line, before the parser, and no other byte changes.
 *
 * | state of the connection  | bytes                     | next state                               |
 * |--------------------------|---------------------------|------------------------------------------|
 * | beginning of a request   | line ends                 | the same                                 |
 * | beginning of a request   | the next letter of `LIST` | one letter further; after four, `inside` |
 * | beginning of a request   | anything else             | `inside`                                 |
 * | inside a request         | anything                  | `inside`; after its end, the beginning   |
 *
 * A client that pipelines (sends a request before the end of the last one) gets 400 for a `LIST`.
 */

import type { Server } from "node:http";
import type { Duplex } from "node:stream";

const written = Buffer.from("LIST");
const parsed = Buffer.from("LINK");
const inside = written.length;

/** Makes a server accept `LIST`, and report it as the method of its requests. Call it after the server has its listener. */
export function acceptList(server: Server): void {
    /** The number of letters of `LIST` at the beginning of the current request. */
    const letters = new WeakMap<Duplex, number>();
    server.on("connection", (socket) => {
        letters.set(socket, 0);
        // Before the server's listener, which gives the same bytes to the parser.
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
