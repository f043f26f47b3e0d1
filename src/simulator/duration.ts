/** Durations as text. */

const units = new Map(Object.entries({ ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, "": 1 }));

/** The whole seconds of text such as `90`, `1h30m`, `1.5h`, `1d`, or `undefined` for any other text. */
export function secondsIn(written: string): number | undefined {
    if (!/^(\d+(\.\d+)?|(\d+(\.\d+)?(ms|[smhd]))*)$/.test(written)) return undefined;
    const parts = [...written.matchAll(/([\d.]+)([a-z]*)/g)];
    return Math.trunc(parts.reduce((sum, [, number, unit = ""]) => sum + Number(number) * (units.get(unit) ?? 0), 0));
}
