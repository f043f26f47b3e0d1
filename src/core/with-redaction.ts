/**
 * Redaction: the one place where secrets are taken out of whatever a runtime shows, sends or fails with. A server's own words are searched
 * before that, where they are cut (`http/answer.ts`): of a secret that was cut, a piece would be left.
 */

import { redacted } from "./redaction";
import type { Runtime } from "./runtime";

/** What a runtime shows and sends by. */
export type Reporter = Pick<Runtime, "open" | "say" | "redacted">;

/** The same for a runtime that knows of further secrets: nothing that it shows, sends or fails with holds them. */
export function withRedaction(runtime: Reporter, secrets: () => readonly string[]): Reporter {
    const clean = (text: string) => redacted(text, secrets());
    return {
        redacted: (message) => runtime.redacted(clean(message)),
        say: (severity, message, urn) => runtime.say(severity, clean(message), urn),
        async open(service, connection, say, options) {
            const tell: typeof say = (severity, message) => say(severity, clean(message));
            const opened = await runtime.open(service, connection, tell, options);
            const { client } = opened;
            return {
                ...opened,
                client: {
                    ...client,
                    call: (operation, call) =>
                        client.call(operation, { ...call, secrets: [...secrets(), ...(call.secrets ?? [])] }),
                },
            };
        },
    };
}
