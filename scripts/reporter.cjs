/**
 * How `npm test` shows a run of mocha: one line per group of tests, then every failure with what is needed to find it.
 * The counts go to the file named in the reporter option `counts`, for scripts/test.mjs to add up.
 */
const { writeFileSync } = require("node:fs");
const { reporters, Runner } = require("mocha");

const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_RUN_END } = Runner.constants;
/** Writes the lines; `failures` in the base class collects what failed. */
class Lines extends reporters.Base {
    constructor(runner, options) {
        super(runner, options);
        // Slower tests than this (milliseconds) are named, so that nobody needs to search for them.
        const slow = Number(options.reporterOptions?.slow ?? 5000);
        const groups = new Map();
        const pending = [];
        let shown;

        const show = () => {
            const group = groups.get(shown);
            if (!group) return;
            const parts = [`${group.passed} passed`];
            if (group.failed > 0) parts.push(`${group.failed} FAILED`);
            if (group.skipped > 0) parts.push(`${group.skipped} SKIPPED`);
            console.log(`  ${shown}: ${parts.join(", ")}`);
            for (const line of group.slow) console.log(`    slow: ${line}`);
            groups.delete(shown);
        };
        const count = (what) => (test) => {
            // A parallel run sends copies of tests, which keep the titles only.
            const titles = test.titlePath();
            const name = titles.length > 1 ? titles[0] : "(no group)";
            if (name !== shown) {
                show();
                shown = name;
            }
            const group = groups.get(name) ?? { passed: 0, failed: 0, skipped: 0, slow: [] };
            groups.set(name, group);
            group[what]++;
            if (what === "skipped") pending.push(titles.join(" › "));
            if (test.duration > slow)
                group.slow.push(`${titles.slice(1).join(" › ")} (${Math.round(test.duration / 1000)} s)`);
        };

        runner.on(EVENT_TEST_PASS, count("passed"));
        runner.on(EVENT_TEST_FAIL, count("failed"));
        runner.on(EVENT_TEST_PENDING, count("skipped"));
        runner.once(EVENT_RUN_END, () => {
            show();
            if (this.failures.length > 0) reporters.Base.list(this.failures);
            // What this machine lacks is told in the title: copies of tests hold nothing else.
            const excused = pending.filter((title) => title.includes("[left out: "));
            const refused = pending.filter((title) => !excused.includes(title));
            for (const title of excused) console.log(`  pending: ${title}`);
            for (const title of refused) console.log(`  skipped, which is not allowed: ${title}`);
            const { passes, failures } = this.stats;
            const counts = { passed: passes, failed: failures + refused.length };
            if (options.reporterOptions?.counts) writeFileSync(options.reporterOptions.counts, JSON.stringify(counts));
        });
    }
}

module.exports = Lines;
