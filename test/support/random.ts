/** The seed of every random test of this run: titles contain it, and `STATECRAFT_SEED=<seed>` repeats a failure. */
export const seed = Number(process.env["STATECRAFT_SEED"] ?? 20_261_121);
