import assert from "node:assert/strict";
import { operation } from "../../src/core/operation";
import type { Call } from "../../src/core/service";
import { type Reporter, withRedaction } from "../../src/core/with-redaction";
import { manager } from "../../src/services/manager/service";
import { fakeService } from "./fake";

const [own, further] = ["planted-own-secret", "planted-further-secret"];

/** A reporter that writes down what it says and sends. */
function recorded() {
    const said: string[] = [];
    const calls: Call[] = [];
    const reporter: Reporter = {
        say: (_, message) => said.push(message),
        redacted: (message) => message,
        async open(_service, _connection, say) {
            const { session } = fakeService();
            return {
                ...session,
                warn: (message) => say("warning", message),
                client: {
                    ...session.client,
                    call: async (_operation, call) => {
                        calls.push(call);
                        return {
                            exchange: { service: "service", operation: "GET /x" },
                            status: 204,
                            headers: {},
                            body: undefined,
                        };
                    },
                },
            };
        },
    };
    return { said, calls, reporter };
}

describe("a reporter with redaction", () => {
    it("shows none of the secrets that it knows of, nor of those that the runtime below knows of", async () => {
        const { said, reporter } = recorded();
        const inner = withRedaction(
            withRedaction(reporter, () => [own]),
            () => [further],
        );
        const message = `it holds ${own} and ${further}`;
        inner.say("info", message);
        said.push(inner.redacted(message));
        const session = await inner.open(manager, undefined, (_, told) => said.push(told));
        session.warn(message);
        assert.deepEqual(said, Array(3).fill("it holds [secret] and [secret]"));
    });

    it("tells every request what not to let through, also where it cuts a server's words", async () => {
        const { calls, reporter } = recorded();
        const session = await withRedaction(reporter, () => [own]).open(manager, undefined, () => undefined);
        const list = operation("GET /v1/volumes");
        await session.client.call(list, { parameters: {} });
        await session.client.call(list, { parameters: {}, secrets: [further] });
        assert.deepEqual(
            calls.map(({ secrets }) => secrets),
            [[own], [own, further]],
        );
    });

    it("learns of secrets as they come", () => {
        const secrets: string[] = [];
        const reporter = withRedaction(recorded().reporter, () => secrets);
        assert.equal(reporter.redacted(own), own);
        secrets.push(own);
        assert.equal(reporter.redacted(own), "[secret]");
    });
});
