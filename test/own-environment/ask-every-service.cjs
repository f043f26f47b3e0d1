/** Sends one request to each service that the environment has settings for. Needs the build. */
const { connect } = require("../../dist/client.js");

const requests = [
    (client) => client.getAuthRole({ name: "web" }),
    (client) => client.getCsiVolume({ volumeId: "data" }),
    (client) => client.getStateVersion({ id: "sv-1" }),
];

/** The servers of the test count the requests, so the answers do not matter. */
exports.askEveryService = async () => {
    const client = connect({ warn: () => undefined });
    for (const request of requests) await request(client).catch(() => undefined);
};

if (require.main === module || require.main === undefined) void exports.askEveryService();
