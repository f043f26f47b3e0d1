/** The chart of docs/performance.md: what each command costs beside the empty plugin. */

import { init } from "echarts";
import { titles } from "./contenders";
import { type Cell, commands } from "./engine";

const colors = {
    floor: "#9aa5b1",
    sender: "#7c8ea3",
    textbook: "#d9822b",
    dynamic: "#5c6ac4",
    native: "#2a9d8f",
    peer: "#b04a7a",
};

/** The chart, as SVG, of the cells of one size. */
export function chartOf(cells: readonly Cell[]): string {
    const size = cells[0]?.size ?? 0;
    const names = [...new Set(cells.map(({ contender }) => contender))].filter((name) => name !== "floor");
    const ratios = (name: string) =>
        commands.map((command) => {
            const cpuOf = (contender: string) =>
                cells.find((cell) => cell.contender === contender && cell.command === command)?.cpu ?? 0;
            return Number((cpuOf(name) / cpuOf("floor")).toFixed(2));
        });
    const chart = init(null, null, { renderer: "svg", ssr: true, width: 800, height: 380 });
    chart.setOption({
        animation: false,
        backgroundColor: "#ffffff",
        title: { text: `CPU of a command with ${size} resources; the empty plugin is 1`, left: "center" },
        // Without a screen the library guesses the width of a text.
        legend: { bottom: 8, itemGap: 24, textStyle: { width: 120 } },
        grid: { left: 48, right: 24, top: 48, bottom: 72 },
        xAxis: { type: "category", data: [...commands] },
        yAxis: { type: "value", min: 0 },
        series: names.map((name, index) => ({
            type: "bar",
            name: titles[name],
            color: colors[name],
            data: ratios(name),
            label: { show: true, position: "top" },
            ...(index === 0 && {
                markLine: {
                    symbol: "none",
                    label: { show: false },
                    lineStyle: { color: "#334" },
                    data: [{ yAxis: 1 }],
                },
            }),
        })),
    });
    const svg = chart.renderToSVGString();
    chart.dispose();
    return `${svg}\n`;
}
