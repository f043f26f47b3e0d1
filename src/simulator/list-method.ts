/**
 * A door in front of Node's HTTP server, whose parser does not know the method `LIST`: the request line is rewritten to `GET`, and a header says
 * what it was. Everything else passes as it came.
 */

import { createServer, type Server, type Socket } from "node:net";
import { Duplex } from "node:stream";

/** The header that marks a rewritten request. */
export const methodHeader = "x-simulator-method";

const longestLine = 64 * 1024;
const newline = 0x0a;

/** What of a request is being read. Framing is followed so that bodies are never taken for request lines. */
type Part = "request line" | "headers" | "body" | "chunk size" | "chunk" | "trailers" | "anything";

/** Rewrites the bytes of one connection, however they are cut into pieces. */
export class ListRewriter {
    private part: Part = "request line";
    private rest: Buffer = Buffer.alloc(0);
    /** Bytes left of the body or of the chunk. */
    private left = 0;
    private length = 0;
    private chunked = false;

    /** The bytes that may go on. A line goes on once it is complete. */
    push(bytes: Buffer): Buffer {
        const out: Buffer[] = [];
        this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
        while (this.rest.length > 0) {
            const passed = this.step();
            if (passed === undefined) break;
            out.push(passed);
        }
        return Buffer.concat(out);
    }

    private step(): Buffer | undefined {
        if (this.part === "anything") return this.take(this.rest.length);
        if (this.part === "body" || this.part === "chunk") return this.stepData();
        if (this.part === "request line" && !mayBeginRequest(this.rest)) return this.giveUp();
        const end = this.rest.indexOf(newline);
        if (end < 0) return this.rest.length > longestLine ? this.giveUp() : undefined;
        return this.stepLine(this.take(end + 1));
    }

    private stepData(): Buffer {
        const data = this.take(Math.min(this.left, this.rest.length));
        this.left -= data.length;
        if (this.left === 0) this.part = this.part === "body" ? "request line" : "chunk size";
        return data;
    }

    private stepLine(line: Buffer): Buffer {
        const text = line.toString("latin1").trimEnd();
        switch (this.part) {
            case "request line":
                return this.stepRequestLine(line, text);
            case "headers":
                if (text === "") this.beginBody();
                else this.readHeader(text);
                return line;
            case "chunk size":
                this.beginChunk(text);
                return line;
            default:
                if (text === "") this.part = "request line";
                return line;
        }
    }

    private stepRequestLine(line: Buffer, text: string): Buffer {
        // Empty lines before a request are allowed.
        if (text === "") return line;
        this.part = "headers";
        this.length = 0;
        this.chunked = false;
        if (!text.startsWith("LIST ")) return line;
        return Buffer.from(`GET ${text.slice("LIST ".length)}\r\n${methodHeader}: LIST\r\n`, "latin1");
    }

    private readHeader(text: string): void {
        const colon = text.indexOf(":");
        const value = text.slice(colon + 1).trim();
        switch (text.slice(0, colon).toLowerCase()) {
            case "content-length":
                this.length = /^\d+$/.test(value) ? Number(value) : 0;
                break;
            case "transfer-encoding":
                this.chunked = /\bchunked$/i.test(value);
                break;
        }
    }

    private beginBody(): void {
        this.left = this.length;
        if (this.chunked) this.part = "chunk size";
        else this.part = this.length > 0 ? "body" : "request line";
    }

    private beginChunk(text: string): void {
        // The line end after a chunk is read as an empty line here.
        if (text === "") return;
        const size = Number.parseInt(text, 16);
        if (Number.isNaN(size)) {
            this.part = "anything";
        } else if (size === 0) {
            this.part = "trailers";
        } else {
            this.left = size;
            this.part = "chunk";
        }
    }

    private take(length: number): Buffer {
        const taken = this.rest.subarray(0, length);
        this.rest = this.rest.subarray(length);
        return taken;
    }

    /** What is no HTTP goes on untouched: the server behind knows what to answer. */
    private giveUp(): Buffer {
        this.part = "anything";
        return this.take(this.rest.length);
    }
}

function mayBeginRequest(bytes: Buffer): boolean {
    return /^[A-Z\r\n]$/.test(String.fromCharCode(bytes[0] ?? 0));
}

/** A connection as the HTTP server sees it: what it reads is rewritten. */
class Rewritten extends Duplex {
    private readonly rewriter = new ListRewriter();

    constructor(private readonly socket: Socket) {
        super();
        socket.on("data", (bytes) => {
            const passed = this.rewriter.push(bytes);
            if (passed.length > 0 && !this.push(passed)) socket.pause();
        });
        socket.on("end", () => this.push(null));
        socket.on("error", (error) => this.destroy(error));
        socket.on("close", () => this.destroy());
    }

    override _read(): void {
        this.socket.resume();
    }

    override _write(bytes: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
        this.socket.write(bytes, encoding, (error) => done(error));
    }

    override _final(done: () => void): void {
        this.socket.end(done);
    }

    override _destroy(error: Error | null, done: (error: Error | null) => void): void {
        this.socket.destroy();
        done(error);
    }
}

/** The door. It is to listen; each connection goes to `accept` as a stream on which `LIST` has become `GET`. */
export function listDoor(accept: (connection: Duplex) => void): Server {
    return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => accept(new Rewritten(socket)));
}
