/** The simulator on a port of the loopback interface. */

import { once } from "node:events";
import { Server } from "node:http";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { createSimulator, type Fetch, type SimulatorOptions } from "./app";
import { acceptList } from "./list-method";
import type { Store } from "./store";

/** A function from a request that came through a socket to its response. */
export type ServerFetch = (request: Request, bindings: HttpBindings) => Response | Promise<Response>;

/** How to start. */
export interface ServerOptions extends SimulatorOptions {
    /** Default: any free port. */
    readonly port?: number;
    /** Stands between the sockets and the simulator. */
    readonly wrap?: (fetch: Fetch) => ServerFetch;
}

/** A simulator at work. */
export interface RunningSimulator {
    /** `http://127.0.0.1:PORT`, no slash at the end. */
    readonly url: string;
    readonly store: Store;
    /** Answers a request without a socket. */
    readonly fetch: Fetch;
    close(): Promise<void>;
}

/** Starts a simulator. */
export async function startSimulator(options: ServerOptions = {}): Promise<RunningSimulator> {
    const { port = 0, wrap = (fetch: Fetch): ServerFetch => fetch } = options;
    const { store, fetch, close } = createSimulator(options);
    const answer = wrap(fetch);
    const server = createAdaptorServer({
        fetch: (request, bindings) => answer(request, bindings as HttpBindings),
        overrideGlobalObjects: false,
    });
    if (!(server instanceof Server)) throw new Error("the simulator needs HTTP/1.1");
    // Keep idle connections: a client would otherwise write into one that is just being closed.
    server.keepAliveTimeout = 0;
    acceptList(server);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`;
    return {
        url,
        store,
        fetch,
        close: async () => {
            close();
            if (!server.listening) return;
            const closed = once(server, "close");
            server.close();
            server.closeAllConnections();
            await closed;
        },
    };
}
