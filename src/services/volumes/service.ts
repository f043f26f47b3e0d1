/** Nomad, which the API documents call the volumes service: its token header and error messages (document "Volumes"). */

import * as z from "zod";
import { endpoint } from "../../core/endpoint";
import type { Answer, LoginRequests, Service } from "../../core/service";
import { AnswerError } from "../../errors";
import { withoutBullets } from "../joined-reasons";

const grant = z.object({ SecretID: z.string(), ExpirationTime: z.string().nullish() });

const login: LoginRequests = {
    request: ({ authMethod }, jwt) => [
        endpoint("POST /v1/acl/login", "unlessDeclined"),
        { parameters: {}, body: { AuthMethodName: authMethod, LoginToken: jwt } },
    ],
    read({ body, exchange, headers: { date = "" } }, _, now) {
        const { SecretID: value, ExpirationTime } = grant.safeParse(body).data ?? {};
        if (!value) throw new AnswerError(exchange, "it has no token in `SecretID`");
        // The clock of the server may differ from that of this machine.
        const milliseconds = Date.parse(ExpirationTime ?? "") - (Date.parse(date) || now);
        const lifetime = Number.isNaN(milliseconds) ? 0 : Math.max(1, milliseconds / 1000);
        // Only a management token may delete a token.
        return { value, lifetime, uses: 0, policies: [] };
    },
    lag: 5000,
    advice: [
        [/^no credential/, "Create it, or on a laptop run `export STATECRAFT_NOMAD_TOKEN=<token>`"],
        [
            /token is expired|\(exp\)/,
            "Use `githubAudience` in GitHub Actions, or a file that another tool keeps up to date",
        ],
        [/no role or policy/, "Add a rule with `nomad acl binding-rule create -auth-method <name> …`"],
        [/auth-method .* not found/, "Create the auth method, or correct `login.authMethod`"],
        [/./, "Compare `BoundAudiences`, `BoundIssuer` and the keys of the auth method with the JWT"],
    ],
};

/** Failures with 500 that last until a user changes the cluster. */
const lastingReasons = [
    "volume not found",
    "no such volume",
    "volume in use",
    "Unknown allocation",
    "No path to region",
];

/** The facts about Nomad that the HTTP client needs. Error messages are plain text, and almost all have the status 500. */
export const volumes: Service = {
    name: "volumes",
    title: "volumes service",
    contentType: "application/json",
    socketHost: "127.0.0.1",
    tokenHeader: (token, isBesideBasic) =>
        isBesideBasic ? ["X-Nomad-Token", token] : ["Authorization", `Bearer ${token}`],
    login,
    reasons: ({ body }) => (typeof body === "string" ? [withoutBullets(unrelayed(body))] : []),
    absent: (answer) =>
        (answer.status === 404 && answer.body === "volume not found") || says(answer, "volume not found: "),
    hint(answer) {
        if (says(answer, "No path to region"))
            return "Correct `region` in the settings: the servers know no such region";
        if (/too many concurrent connections/.test(String(answer.body))) return adviceOnConnections;
        return /^(rpc error: )*Permission denied/i.test(String(answer.body))
            ? answer.exchange.advice?.[403]
            : undefined;
    },
    // Without a leader the servers do nothing, and they elect one within seconds.
    passing: (answer) => says(answer, "No cluster leader"),
    ownWords: new RegExp(`^(?:${lastingReasons.join("|")})`, "g"),
    lasting: (answer) => lastingReasons.some((reason) => says(answer, reason)),
};

const adviceOnRights = (rights: string) => ({
    403: `Set a valid token with ${rights} in the namespace, and \`plugin { policy = "read" }\``,
});
/** Advice for reads of volumes. */
export const onRead = adviceOnRights("`csi-read-volume` and `csi-list-volume`");
/** Advice for writes of volumes. */
export const onWrite = adviceOnRights("`csi-write-volume`");

/** Advice on the limit of the connections that a server or client of Nomad accepts from one machine. */
const adviceOnConnections =
    "End other connections from this machine, such as those of blocking queries and of clients that are not closed, " +
    "or raise `http_max_conns_per_client`, 100 by default, in Nomad's `limits`";

/** Whether an answer is a failure that begins with this text. */
const says = ({ status, body }: Answer, text: string) =>
    status === 500 && typeof body === "string" && unrelayed(body).startsWith(text);

/** Removes the `rpc error: ` that each agent or server adds which forwards a request to the leader. */
const unrelayed = (text: string) => text.replace(/^(?:rpc error: )+/, "");
