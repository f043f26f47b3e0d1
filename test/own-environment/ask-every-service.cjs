/** Asks each service that the environment leads to, as any program may. Needs the build. */
const { connect } = require("../../dist/client.js");

const asks = [
    (client) => client.getAuthRole({ name: "web" }),
    (client) => client.getCsiVolume({ volumeId: "data" }),
    (client) => client.getStateVersion({ id: "sv-1" }),
];

/** Whether a service answers counts at the servers, and nothing else does. */
exports.askEveryService = async () => {
    const client = connect({ warn: () => undefined });
    for (const ask of asks) await ask(client).catch(() => undefined);
};

if (require.main === module || require.main === undefined) void exports.askEveryService();
