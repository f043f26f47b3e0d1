/** Resources and functions need no field of an answer that its API document does not describe. */

import assert from "node:assert/strict";
import { connect, ServiceError } from "../../src/client";
import { isRecord, type Values } from "../../src/schema/values";
import { seed } from "../faults/subjects";
import { canaryToken } from "../support/canaries";
import { endpoints, patternOf } from "../support/endpoints";
import { type Props, programOf, resourceFacts } from "../support/resource-facts";
import { withSimulator } from "../support/simulator";

/** The objects around a record, and what every record of JSON:API has. */
const envelope = ["data", "auth", "attributes", "relationships", "id", "type"];

/** Removes all other fields from each record of an answer, at its outermost level. */
function withOnly(fields: readonly string[], record: unknown): unknown {
    if (Array.isArray(record)) return record.map((item) => withOnly(fields, item));
    if (!isRecord(record)) return record;
    const entries = Object.entries(record).filter(([name]) => fields.includes(name) || envelope.includes(name));
    return Object.fromEntries(
        entries.map(([name, value]) => [name, envelope.includes(name) ? withOnly(fields, value) : value]),
    );
}

describe("an answer that has only the fields of its document", () => {
    const simulator = withSimulator(seed, { vocabulary: "documented" });
    beforeEach(() => {
        simulator.answerWith(async ({ method, path }, act) => {
            const answer = await act();
            const line = `${method} ${path}`;
            const fields = endpoints.filter((each) => patternOf(each).test(line)).flatMap((each) => each.answer);
            if (fields.length === 0 || answer.status !== 200) return answer;
            const body = JSON.stringify(withOnly(fields, JSON.parse(answer.body.toString())));
            return { ...answer, body: Buffer.from(body) };
        });
    });

    for (const facts of resourceFacts) {
        it(`is enough for ${facts.type} and its functions`, async () => {
            const resource = simulator.resource(facts.type);
            const { adopt: _adopt, ...whole } = { ...programOf(facts), ...facts.rest };
            for (const program of facts.programs ?? [whole]) await resource.up(program);
            await resource.refresh();
            const server = { address: simulator.url, token: canaryToken };
            const settings = { manager: server, volumes: server, stateVersions: server, environment: {} };
            const lookups: Values = connect({ ...settings, warn: () => undefined });
            for (const [name, { args }] of Object.entries(facts.functions ?? {})) {
                const lookup = lookups[name] as (args: Props) => Promise<unknown>;
                // The object may be absent.
                await lookup(args).catch((error: unknown) => assert(error instanceof ServiceError, String(error)));
            }
            await resource.destroy();
        });
    }
});
