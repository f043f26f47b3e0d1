/** No test of `npm test`: the test beside this file runs it in an environment that leads to servers. */

import { homedir } from "node:os";

const { askEveryService } = require("./ask-every-service.cjs") as { askEveryService: () => Promise<void> };

it("asks", async () => {
    console.log(`HOME ${homedir()}`);
    await askEveryService();
});
