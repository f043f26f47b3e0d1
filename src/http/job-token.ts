/** Requests the JWT of a job from the endpoint that GitHub Actions gives it. */

import { endpoint } from "../core/endpoint";
import type { Client, Server } from "../core/service";
import { AnswerError, asStatecraftError, StatecraftError } from "../errors";
import { isRecord } from "../schema/values";
import type { ClientSettings } from "./client-context";
import { isLoopback } from "./connect";

const urlVariable = "ACTIONS_ID_TOKEN_REQUEST_URL";
const tokenVariable = "ACTIONS_ID_TOKEN_REQUEST_TOKEN";

const permission = "Give the job `permissions: id-token: write`, or use `jwtFile` outside of GitHub Actions";

/** The endpoint of a job. */
const job: Server = {
    title: "the token endpoint of GitHub Actions",
    contentType: "application/json",
    tokenHeader: (token) => ["Authorization", `Bearer ${token}`],
    // Its form is a usual one, which the client reads for every service.
    reasons: () => [],
    absent: () => false,
    hint: () => permission,
};

/**
 * The JWT for an audience. The request token is sent only to the origin of the variable, at most three times.
 * @param clientOf makes the client of the request
 * @throws StatecraftError
 */
export async function jobToken(
    audience: string,
    environment: NodeJS.ProcessEnv,
    clientOf: (service: Server, settings: Pick<ClientSettings, "address" | "token" | "maxRetries" | "title">) => Client,
    signal: AbortSignal,
): Promise<string> {
    const { [urlVariable]: address = "", [tokenVariable]: token } = environment;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || !token) {
        const problem = `the variables ${urlVariable} and ${tokenVariable} of GitHub Actions are not set`;
        throw new StatecraftError("login", problem, { hint: permission });
    }
    if (url.protocol !== "https:" && !isLoopback(url.hostname)) {
        throw new StatecraftError(
            "login",
            `the address in ${urlVariable} is not https:, so the token of the job is not sent`,
        );
    }
    const client = clientOf(job, { address: url.origin, token, maxRetries: 2, title: job.title });
    const query = { ...Object.fromEntries(url.searchParams), audience };
    // The path is that of the variable, which has its own escapes.
    const show = { ...endpoint("GET /"), path: () => url.pathname };
    const { body, exchange } = await client.call(show, { parameters: {}, query, signal }).catch((error: unknown) => {
        throw signal.aborted ? error : asStatecraftError(error).reword({ code: "login" });
    });
    if (isRecord(body) && typeof body["value"] === "string" && body["value"] !== "") return body["value"];
    throw new AnswerError(exchange, "it has no JWT in `value`").reword({ code: "login" });
}
