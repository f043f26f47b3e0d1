/** Tests messages of operations and functions that no server and no program can cause. */

import assert from "node:assert/strict";
import type { Runtime } from "../../src/core/context";
import { invokeFunction } from "../../src/core/functions";
import { Operations } from "../../src/core/operations";
import { InternalError, StatecraftError, textOf } from "../../src/errors";
import { authConfig, getAuthConfig } from "../../src/services/manager/auth-config";
import { hostWith } from "../properties/fuzz-inputs";
import { failureOf } from "../support/failures";
import { ManagedResource } from "../support/managed-resource";
import { unknown } from "../support/pulumi-values";

const mistake = new TypeError("planted-secret is not a function");
const runtimeOf = (said: string[] = []): Runtime => ({
    ...hostWith(() => Promise.reject(mistake)),
    say: (severity, message) => said.push(`${severity} ${message}`),
});

describe("an unexpected error", () => {
    it("of an operation is one paragraph with a code and without secrets, and its stack goes to the debug log", async () => {
        const said: string[] = [];
        const config = ManagedResource.of(new Operations(authConfig, runtimeOf(said)));
        await assert.rejects(config.up({ clientSecret: "planted-secret" }), {
            message:
                /^AuthConfig auth\/clouda\/config: \[secret\] is not a function\. This is a defect of .*\[internal\]$/,
        });
        assert.match(said.join(), /^debug TypeError: \[secret\] is not a function.*at /s);
    });

    it("of a function keeps its cause", async () => {
        const error = await failureOf(invokeFunction(getAuthConfig, runtimeOf()), InternalError);
        assert.deepEqual([error.code, error.cause], ["internal", mistake]);
        assert(error.message.startsWith("getAuthConfig: "), error.message);
    });
});

describe("a message", () => {
    it("and its advice, which a script reads alone, have no secret", async () => {
        const refused = new StatecraftError("x", "no planted-secret", { hint: "Change planted-secret" });
        const host = hostWith(() => Promise.reject(refused));
        const created = new Operations(authConfig, host).create({ clientSecret: "planted-secret" });
        const { cause } = await failureOf(created, Error);
        assert(cause instanceof StatecraftError);
        assert.equal(cause.hint, "Change [secret]");
    });

    it("contains no unknown value", async () => {
        const { message } = await failureOf(new Operations(authConfig, runtimeOf()).read(unknown, {}), Error);
        assert(message.startsWith("AuthConfig ") && !message.includes(unknown), message);
    });

    it("consists of sentences and a code, whether or not the texts end with a full stop", () => {
        const text = (message: string, hint?: string) => textOf(new StatecraftError("x", message, { hint }));
        assert.equal(text("it broke", "Mend it"), "it broke. Mend it. [x]");
        assert.equal(text("it broke.", "Mend it. "), "it broke. Mend it. [x]");
    });
});
