/**
 * Prints a run of mocha: one line for each group of tests, the ten slowest tests, then every failure. The counts go to the file named
 * in the reporter option `counts`, which scripts/mocha.mjs reads.
 */
const { writeFileSync } = require("node:fs");
const { reporters, Runner } = require("mocha");

const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_RUN_END } = Runner.constants;

/** @typedef {"passed" | "failed" | "skipped"} Outcome */

/** Writes the lines; the base class collects the failures. */
class Lines extends reporters.Base {
    /**
     * @param {import("mocha").Runner} runner
     * @param {import("mocha").MochaOptions} options
     */
    constructor(runner, options) {
        super(runner, options);
        /** @type {Map<string, Record<Outcome, number>>} */
        const groups = new Map();
        /** @type {{ title: string, duration: number }[]} */
        const ended = [];
        /** @type {string[]} */
        const skipped = [];
        let shown = "";

        const show = () => {
            const group = groups.get(shown);
            if (!group) return;
            const parts = [`${group.passed} passed`];
            if (group.failed > 0) parts.push(`${group.failed} FAILED`);
            if (group.skipped > 0) parts.push(`${group.skipped} SKIPPED`);
            console.log(`  ${shown}: ${parts.join(", ")}`);
            groups.delete(shown);
        };
        /** @param {Outcome} what */
        const count = (what) => (/** @type {import("mocha").Test} */ test) => {
            // A parallel run sends copies of tests, which have titles only.
            const titles = test.titlePath();
            const name = (titles.length > 1 && titles[0]) || "(no group)";
            if (name !== shown) {
                show();
                shown = name;
            }
            const group = groups.get(name) ?? { passed: 0, failed: 0, skipped: 0 };
            groups.set(name, group);
            group[what]++;
            const title = titles.join(" › ");
            if (what === "skipped") skipped.push(title);
            else ended.push({ title, duration: test.duration ?? 0 });
        };

        runner.on(EVENT_TEST_PASS, count("passed"));
        runner.on(EVENT_TEST_FAIL, count("failed"));
        runner.on(EVENT_TEST_PENDING, count("skipped"));
        runner.once(EVENT_RUN_END, () => {
            show();
            const slowest = ended.sort((one, other) => other.duration - one.duration).slice(0, 10);
            console.log("  The slowest:");
            for (const { title, duration } of slowest) console.log(`    ${(duration / 1000).toFixed(1)} s  ${title}`);
            if (this.failures.length > 0) reporters.Base.list(this.failures);
            // The title of a skipped test names the tool that is missing.
            const excused = skipped.filter((title) => title.includes("[left out: "));
            const refused = skipped.filter((title) => !excused.includes(title));
            for (const title of excused) console.log(`  left out: ${title}`);
            for (const title of refused) console.log(`  skipped, which is not allowed: ${title}`);
            const { passes, failures } = this.stats;
            const counts = { passed: passes, failed: failures + refused.length };
            if (options.reporterOptions?.counts) writeFileSync(options.reporterOptions.counts, JSON.stringify(counts));
        });
    }
}

module.exports = Lines;
