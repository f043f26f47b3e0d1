/** The simulator on a port of the loopback interface. */

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createSimulator, type Simulator, type SimulatorOptions } from "./app";
import { acceptList } from "./list-method";
import type { Fetch } from "./store";

export interface ServerOptions extends SimulatorOptions {
    /** The port. Default: any free one. */
    readonly port?: number;
    /** Creates the server, which may call the simulator's function. Default: one that answers by it. */
    readonly serverOf?: (fetch: Fetch) => Server;
}

export interface RunningSimulator extends Simulator {
    /** `http://127.0.0.1:PORT`, no slash at the end. */
    readonly url: string;
    close(): Promise<void>;
}

const usualServer = (fetch: Fetch) => createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));

export async function startSimulator(options: ServerOptions = {}): Promise<RunningSimulator> {
    const { port = 0, serverOf = usualServer } = options;
    const simulator = createSimulator(options);
    const server = serverOf(simulator.fetch);
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
