/** A test that only own-environment.test.ts runs, in an environment with settings of servers. */

import { homedir } from "node:os";

const { askEveryService } = require("./ask-every-service.cjs") as { askEveryService: () => Promise<void> };

it("sends requests", async () => {
    console.log(`HOME ${homedir()}`);
    await askEveryService();
});
