/** Sends one request to each service for which the environment has settings. Requires `dist`. */
const { connect } = require("../../dist/client.js");

const requests = [
    (client) => client.getAuthRole({ name: "web" }),
    (client) => client.getCsiVolume({ volumeId: "data" }),
    (client) => client.getStateVersion({ id: "sv-1" }),
];

/** Sends the requests, and ignores the answers: the servers of the test count the requests. */
exports.askEveryService = async () => {
    const client = connect({ warn: () => undefined });
    for (const request of requests) await request(client).catch(() => undefined);
};

if (require.main === module || require.main === undefined) void exports.askEveryService();
