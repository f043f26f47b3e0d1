/** Tests messages of operations and functions that no server and no program can cause. */

import assert from "node:assert/strict";
import type { Runtime, Session } from "../../src/core/context";
import { invokeFunction } from "../../src/core/functions";
import { Operations } from "../../src/core/operations";
import { InternalError, StatecraftError, textOf } from "../../src/errors";
import { serverDefaults } from "../../src/product-names";
import { authConfig, getAuthConfig } from "../../src/services/manager/auth-config";
import { secretReader } from "../../src/settings/secret-reader";
import { failureOf } from "../support/failures";
import { ManagedResource } from "../support/managed-resource";
import { unknown } from "../support/pulumi-values";

const mistake = new TypeError("planted-secret is not a function");
const settings = { ...serverDefaults.product, namespace: undefined };
const fail = () => Promise.reject(mistake);
const session: Session = {
    client: { call: fail, download: fail, upload: fail },
    settings,
    servers: ["https://one.example"],
    serverKey: "https://one.example",
    product: "Vault",
    settingsKey: "statecraft:vault",
    adoptIdentical: false,
    memory: new Set(),
    secretReader: secretReader({}, new Set()),
    exclusive: (_, work) => work(),
    now: () => 0,
    sleep: async () => undefined,
};

function runtimeOf(said: string[] = []): Runtime {
    return {
        open: () => session,
        settings: () => settings,
        strict: false,
        say: (severity, message) => said.push(`${severity} ${message}`),
        secrets: [],
        secretReader: session.secretReader,
    };
}

describe("an unexpected error", () => {
    it("of an operation is one paragraph with a code and without secrets, and its stack goes to the debug log", async () => {
        const said: string[] = [];
        const config = ManagedResource.of(new Operations(authConfig, runtimeOf(said)));
        await assert.rejects(config.up({ clientSecret: "planted-secret" }), {
            message:
                /^AuthConfig auth\/azure\/config: \[secret\] is not a function\. This is a defect of .*\[internal\]$/,
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
