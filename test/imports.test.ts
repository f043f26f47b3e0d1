/** Tests that an import returns no secret as an input, and says which properties the program has to declare. */

import assert from "node:assert/strict";
import { withCode } from "./support/messages";
import { withSimulator } from "./support/simulator";

const storage = { type: "aws-s3", bucket: "b", region: "eu", pathPrefix: "p/", secretAccessKey: "planted-secret" };
const config = { name: "hourly", interval: "1h", storage };

describe("an import", () => {
    const simulator = withSimulator({});

    for (const isNative of [false, true]) {
        const life = () => simulator.resource("SnapshotConfig", { isNative });
        it(`has no secret in its inputs, and a warning names each${isNative ? ", native" : ""}`, async () => {
            await life().up(config);
            const imported = await life().imported("hourly");
            const { state, warnings } = imported;
            assert(!JSON.stringify(state?.inputs).includes("planted-secret"));
            assert.match(warnings.join("\n"), /declare storage\.secretAccessKeyFrom: /);
            assert.match(warnings.join("\n"), withCode("import"));
            assert.equal((imported.outputs()["storage"] as typeof storage).secretAccessKey, "planted-secret");
        });

        it(`is followed by a change that shows what is not declared, and by none if it is${isNative ? ", native" : ""}`, async () => {
            await life().up(config);
            const { secretAccessKey, ...others } = storage;
            const imported = await life().imported("hourly");
            assert.equal((await imported.diff({ ...config, storage: others })).changes, true);
            assert.equal((await imported.diff(config)).changes, false);
            assert.equal(await imported.up(config), "same");
        });
    }
});
