/** Writes `docs/history.svg`, the README's picture of a terminal: an incident and its rollback, recorded with the simulator. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { demonstration } from "../src/simulator/demonstration";
import { onStage, type Stage } from "../test/support/stack";

const commands = [
    "npx pulumi-statecraft history example/app",
    "pulumi preview",
    "pulumi up --yes --skip-preview",
    "pulumi up --yes --skip-preview",
];

/** `history` prints ages and local times. This clock always shows a day after the newest version. */
const clock = { TZ: "UTC", NODE_OPTIONS: `--import=data:text/javascript,Date.now=()=>${Date.UTC(2026, 0, 9, 3)}` };

/** Runs the commands with the README's program for HCP Terraform. Returns the lines of the terminal. */
export async function record(): Promise<string[]> {
    const { run } = await import("./processes.mjs");
    const lines: string[] = [];
    const runAll = async ({ stack: { folder, environment } }: Stage) => {
        for (const command of commands) {
            const [program = "", ...args] = command.split(" ");
            const env = program === "npx" ? { ...environment, ...clock } : environment;
            const { code, stdout, stderr } = await run(program, args, { cwd: folder, env });
            if (code !== 0) throw new Error(`${command}: code ${code}\n${stdout}${stderr}`);
            lines.push(`$ ${command}`, ...settled(stdout.split("\n")).flatMap(wrapped), "");
        }
    };
    await onStage(demonstration, { folder: "examples/terraform-typescript" }, runAll, {}, { names: "product" });
    return lines.slice(0, -1);
}

/**
 * Keeps of each resource the last line, as a terminal does, and replaces or removes what differs between two runs: durations, and the id of the
 * new version. Blank lines would make the picture higher than a screen.
 */
function settled(lines: readonly string[]): string[] {
    const kept = new Map<string, string>();
    for (const line of lines.filter((text) => !/^(@ .*|\.+|Duration: .*|)$/.test(text))) {
        const [, mark, resource, step] = /^ ([ +]) {2}(\S+:\S+ \S+) (\w*)/.exec(line) ?? [];
        // A late message of a resource shows its step as unfinished once more.
        const done = step?.replace(/ing$/, "ed");
        const text = resource ? ` ${mark}  ${resource} ${done}`.trimEnd() : line.replace(/sv-[0-9a-f]{16}/, "sv-5");
        kept.set(resource ?? line, text);
    }
    return [...kept.values()];
}

const columns = 108;

/** Breaks a line that is too long before the last gain or loss that fits. */
function wrapped(line: string): string[] {
    const at = line.slice(0, columns).search(/(?<=\S *) [+-]\d* (?!.* [+-]\d* )/);
    return line.length <= columns || at < 0 ? [line] : [line.slice(0, at), ...wrapped(`   ${line.slice(at)}`)];
}

const colours = { background: "#0d1117", frame: "#6e7681", text: "#c9d1d9", command: "#79c0ff" };
const signColours: Readonly<Record<string, string>> = { "+": "#56d364", "-": "#ff7b72" };

/** Draws the lines as SVG. The frame has its own background, so that it is readable on a light and on a dark page. */
export function draw(lines: readonly string[]): string {
    const [size, height, margin] = [12, 17, 16];
    const width = Math.ceil(columns * size * 0.61) + 2 * margin;
    const texts = lines.map((line, index) => {
        const escaped = line.replace(/&/g, "&amp;").replace(/</g, "&lt;");
        const coloured = escaped.replace(
            /(?<!\S)([+-])( {2}\S.*|\d* .*?(?= {2}| \[|$))/g,
            (text, sign: string) => `<tspan fill="${signColours[sign]}">${text}</tspan>`,
        );
        const command = line.startsWith("$ ") ? ` fill="${colours.command}" font-weight="bold"` : "";
        return `<text x="${margin}" y="${margin + size + index * height}"${command}>${coloured}</text>`;
    });
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${2 * margin + lines.length * height}" width="${width}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${size}" fill="${colours.text}" xml:space="preserve">`,
        "<title>A rollback of a state in a terminal</title>",
        `<rect width="100%" height="100%" rx="8" fill="${colours.background}" stroke="${colours.frame}"/>`,
        ...texts,
        "</svg>\n",
    ].join("\n");
}

if (require.main === module)
    void record().then((lines) => writeFileSync(join(__dirname, "..", "docs", "history.svg"), draw(lines)));
