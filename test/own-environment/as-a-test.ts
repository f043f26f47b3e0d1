/** Not a test of `npm test`: the test beside this file runs it in an environment with settings of servers. */

import { homedir } from "node:os";

const { askEveryService } = require("./ask-every-service.cjs") as { askEveryService: () => Promise<void> };

it("sends requests", async () => {
    console.log(`HOME ${homedir()}`);
    await askEveryService();
});
