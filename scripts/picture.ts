/** Writes `docs/history.svg`, the README's picture of a terminal: an incident and its rollback, recorded with the simulator. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demonstration } from "../src/simulator/demonstration";
import { Shell } from "../test/support/shell";
import { onStage, type Stage } from "../test/support/stack";

const commands = [
    "npx pulumi-statecraft history example/app",
    "npx pulumi-statecraft rollback example/app sv-3 --only example_server.cache",
    "npx pulumi-statecraft rollback example/app sv-4",
    "pulumi preview",
];

/** `history` prints ages and local times. This clock always shows a day after the newest version. */
const clock = `TZ=UTC NODE_OPTIONS='--import=data:text/javascript,Date.now=()=>${Date.UTC(2026, 0, 9, 3)}'`;

/** Runs the commands on a terminal, and the last one with the README's program for HCP Terraform. Returns the lines of the terminal. */
export async function record(): Promise<string[]> {
    const { run } = await import("./processes.mjs");
    const lines: string[] = [];
    const runAll = async ({ simulator, stack: { folder, environment } }: Stage) => {
        const shell = new Shell(mkdtempSync(join(tmpdir(), "statecraft-picture-")), simulator.url);
        for (const command of commands) {
            const [program = "", ...args] = command.split(" ");
            const { code, text } =
                program === "npx"
                    ? await shell.run(args.includes("history") ? `${clock} ${command}` : command)
                    : await run(program, args, { cwd: folder, env: environment }).then(textOf);
            if (code !== 0) throw new Error(`${command}: code ${code}\n${text}`);
            lines.push(`$ ${command}`, ...settled(text.split("\n")), "");
        }
        rmSync(shell.folder, { recursive: true });
    };
    await onStage(demonstration, { folder: "examples/terraform-typescript" }, runAll, {}, { names: "product" });
    const made = /sv-[0-9a-f]{16}/g;
    const ids = [...new Set(lines.join().match(made))];
    return lines.slice(0, -1).flatMap((line) => wrapped(line.replace(made, (id) => `sv-${ids.indexOf(id) + 5}`)));
}

const textOf = ({ code, stdout, stderr }: Record<"stdout" | "stderr", string> & { code: number }) => {
    return { code, text: stdout + stderr };
};

/** Keeps of each resource the last line, as a terminal does. Blank lines would make the picture higher than a screen. */
function settled(lines: readonly string[]): string[] {
    const kept = new Map<string, string>();
    for (const line of lines.filter((text) => !/^(@ .*|\.+|Duration: .*|)$/.test(text))) {
        const [, mark, resource, step] = /^ ([ +]) {2}(\S+:\S+ \S+) (\w*)/.exec(line) ?? [];
        kept.set(resource ?? line, resource ? ` ${mark}  ${resource} ${step}`.trimEnd() : line);
    }
    return [...kept.values()];
}

const columns = 108;

/** Breaks a line that is too long before the last gain or loss that fits, or else the last word. */
function wrapped(line: string): string[] {
    if (line.length <= columns) return [line];
    const sign = line.slice(0, columns).search(/(?<=\S *) [+-]\d* (?!.* [+-]\d* )/);
    const at = sign < 0 ? line.lastIndexOf(" ", columns) : sign;
    return at < 8 ? [line] : [line.slice(0, at), ...wrapped(`   ${line.slice(at)}`)];
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
            /(?<!\S)([+-])( {2}\S.*|\d* (?![+-]).*?(?= {2}| \[|;|$))/g,
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
