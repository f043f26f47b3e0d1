/** The login method's configuration as the document has it. Its secret is sent when it is the program's own new one, and only then. */

import { type Argument, lengthOfTime, oneOf, type Props, programs, secret } from "./random-programs";
import type { Model } from "./upsert-runs";

const table = {
    tenantId: { wire: "tenant_id", absent: "", required: true, told: oneOf("t-1", "t-2") },
    resource: { wire: "resource", absent: "", required: true, told: oneOf("https://app.example", "urn:x y") },
    environment: {
        wire: "environment",
        absent: "CloudAPublicCloud",
        told: oneOf("CloudAPublicCloud", "CloudAChinaCloud"),
    },
    clientId: { wire: "client_id", absent: "", told: oneOf("", "c-1", "c-2") },
    clientSecret: { wire: "client_secret", absent: "", told: secret },
    maxRetries: { wire: "max_retries", absent: 3, told: oneOf(0, 3, 5) },
    maxRetryDelay: { wire: "max_retry_delay", absent: 60, told: lengthOfTime(60, 90, 600) },
    retryDelay: { wire: "retry_delay", absent: 4, told: lengthOfTime(1, 4, 8) },
} satisfies Record<string, Argument>;

const nanoseconds = 1e9;

/** Random runs of configurations. The names of a run are two mounts. */
export function loginConfigs(vocabulary: Model["vocabulary"]): Model {
    const mount = (at: string) => `login-${at}`;
    const path = (at: string) => `/v1/auth/${mount(at)}/config`;
    const real = (value: unknown) => (vocabulary === "product" ? String(value).replace("CloudA", "Azure") : value);
    return {
        type: "AuthConfig",
        vocabulary,
        // Looking for the shortest plan of a failure needs more runs than there are to be.
        seed: { mounts: Array.from({ length: 10_000 }, (_, run) => [mount(`a${run}`), mount(`b${run}`)]).flat() },
        runs: 75,
        programs: programs(table),
        methods: ["POST", "DELETE"],
        naming: (at) => ({ mount: mount(at) }),
        async look(simulator, at) {
            const read = (await simulator.outside("GET", path(at))) as { data: Props } | undefined;
            if (read === undefined) return undefined;
            // No program can say how long a rotated secret lives.
            const { root_password_ttl: _, ...told } = read.data;
            const { max_retry_delay: most, retry_delay: least, environment, ...rest } = told;
            const seconds = { max_retry_delay: Number(most) / nanoseconds, retry_delay: Number(least) / nanoseconds };
            return {
                client_secret: "",
                ...rest,
                environment: real("CloudAChinaCloud") === environment ? "CloudAChinaCloud" : "CloudAPublicCloud",
                ...seconds,
            };
        },
        write(simulator, at, { means }) {
            const delays = { max_retry_delay: `${means["max_retry_delay"]}s`, retry_delay: `${means["retry_delay"]}s` };
            return simulator.outside("POST", path(at), {
                ...means,
                environment: real(means["environment"]),
                ...delays,
            });
        },
        remove: (simulator, at) => simulator.outside("DELETE", path(at)),
        unread: ["client_secret"],
        updated(here, former, to) {
            // A secret that is not sent stays; an object that others removed is made anew without it.
            const isSent = to["client_secret"] !== "" && former["client_secret"] !== to["client_secret"];
            return isSent ? to : { ...to, client_secret: here?.["client_secret"] ?? "" };
        },
        ...(vocabulary === "product" && { hidden: ["client_secret"] }),
    };
}
