/** `npm run build`: builds `dist`, unless it was built from exactly these sources. */
import { ensureBuilt, main } from "./prepare.mjs";

await main(ensureBuilt);
