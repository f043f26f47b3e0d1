/** Durations as text. */

const units = new Map(Object.entries({ ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 }));

/** Whole seconds of text such as `90`, `1h30m`, `1.5h`, `1d`, or `undefined` if it is no duration. */
export function secondsIn(written: string): number | undefined {
    const [, sign, digits = ""] = /^([+-]?)(.*)$/s.exec(written) ?? [];
    const parts = [...digits.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd]?)/g)];
    const isWhole = parts.map(([part]) => part).join("") === digits;
    if (!isWhole || (parts.length > 1 && parts.some(([, , unit]) => unit === ""))) return undefined;
    const sum = parts.reduce((total, [, number, unit]) => total + Number(number) * (units.get(unit || "s") ?? 0), 0);
    return (sign === "-" ? -1 : 1) * Math.trunc(sum) || 0;
}
