/** What the crashes came to, as the table of docs/reliability.md. */

import { markdown } from "../faults/table";
import { victims } from "./crash";
import { type Boundary, type Command, commands, kinds } from "./fixtures";

/** The commands as users know them. */
const titles: Readonly<Record<Command, string>> = {
    up: "`up`",
    change: "`up` of a changed program",
    refresh: "`refresh`",
    destroy: "`destroy`",
};

const total = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0);

/** How many boundaries each command's crashes met, when all is well. */
export function crashTable(plan: (command: Command) => ReadonlyMap<string, Boundary>): string {
    const rows = commands.map((command) => {
        const keys = [...plan(command).keys()];
        const each = kinds.map(({ prefix }) => keys.filter((key) => key.startsWith(prefix)).length);
        return [titles[command], ...each, total(each), total(each) * victims.length];
    });
    const points = total(commands.map((command) => plan(command).size)) * victims.length;
    const types = kinds.map(({ type }) => `\`${type}\``);
    return [
        `\`npm run test:faults\` has made each of ${victims.length} victims die in each of ${commands.length} commands, at ${points} boundaries in all, and every next command went well:`,
        markdown(["killed in", ...types, "together", `with ${victims.length} victims`], rows),
    ].join("\n\n");
}
