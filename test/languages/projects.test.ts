/** Runs the YAML projects of `examples`. `test/end-to-end/readme.test.ts` runs those in TypeScript. */

import { demonstration } from "../../src/simulator/demonstration";
import { done, onStage } from "../support/stack";

describe("a project in YAML", () => {
    for (const product of ["vault", "nomad", "terraform"]) {
        it(`creates and deletes its objects: ${product}`, async () => {
            const program = { folder: `examples/${product}-yaml` };
            const options = { names: "product" } as const;
            await onStage(
                demonstration,
                program,
                async ({ stack }) => {
                    done(await stack.up());
                    done(await stack.up("--expect-no-changes"));
                    done(await stack.destroy());
                },
                {},
                options,
            );
        });
    }
});
