/** The simulator on a port of the loopback interface. */

import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { createSimulator, type Simulator, type SimulatorOptions } from "./app";
import { acceptList } from "./list-method";
import type { Fetch } from "./store";

/** A function from a request on a socket to its response. */
export type ServerFetch = (request: Request, bindings: HttpBindings) => Response | Promise<Response>;

export interface ServerOptions extends SimulatorOptions {
    /** The port. Default: any free one. */
    readonly port?: number;
    /** Returns the function that answers requests, which may call the simulator's. Default: the simulator's function. */
    readonly wrap?: (fetch: Fetch) => ServerFetch;
}

export interface RunningSimulator extends Simulator {
    /** `http://127.0.0.1:PORT`, no slash at the end. */
    readonly url: string;
    close(): Promise<void>;
}

export async function startSimulator(options: ServerOptions = {}): Promise<RunningSimulator> {
    const { port = 0, wrap = (fetch: Fetch): ServerFetch => fetch } = options;
    const simulator = createSimulator(options);
    const answer = wrap(simulator.fetch);
    const listener = (request: Request, bindings: unknown) => answer(request, bindings as HttpBindings);
    const server = createServer(getRequestListener(listener, { overrideGlobalObjects: false }));
    // Idle connections stay open: a client could write to one while the server closes it.
    server.keepAliveTimeout = 0;
    acceptList(server);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`;
    return {
        url,
        ...simulator,
        close: async () => {
            if (!server.listening) return;
            const closed = once(server, "close");
            server.close();
            server.closeAllConnections();
            await closed;
        },
    };
}
