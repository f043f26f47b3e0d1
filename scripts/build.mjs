/** `npm run build`: makes `dist`, unless it was made from these very sources. */
import { ensureBuilt, main } from "./prepare.mjs";

await main(async () => {
    await ensureBuilt();
    return 0;
});
