/** Brings parts of random states with a history back, and judges the result by the objects that the generator knows. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { inProgram, inWords } from "../../../src/core/steps";
import { StatecraftError } from "../../../src/errors";
import { bringBack, partsOf } from "../../../src/services/state-versions/part-of-state";
import { seed } from "../../support/random";
import { type History, histories, idOf, type Placed, stateText } from "../../support/state-histories";

const runs = { seed, numRuns: 300 * Number(process.env["STATECRAFT_RUNS"] ?? 1) };

/** The attributes with which providers identify an object: by its id, its ARN, its identity, or only by all attributes. */
const kinds = [
    (placed: Placed) => ({ attributes: { id: idOf(placed), size: placed.size } }),
    (placed: Placed) => ({ attributes: { arn: `arn:${placed.object}`, size: placed.size } }),
    (placed: Placed) => ({ attributes: { id: "none", secret: placed.object } }),
    (placed: Placed) => ({ attributes: { id: "none", arn: `arn:${placed.object}`, size: placed.size } }),
    ({ object, size }: Placed) => ({
        attributes: { id: "same", size },
        identity_schema_version: 1,
        identity: { object },
    }),
] as const;

const read = (text: string) => partsOf(Buffer.from(text), "sv-1");
interface Instance {
    readonly attributes: { readonly id?: string; readonly arn?: string; readonly secret?: number };
    readonly identity?: { readonly object: number };
}
/** The objects of a state, as often as it has them. */
const objectsIn = (text: string) => {
    const { resources } = JSON.parse(text) as {
        readonly resources: readonly { readonly instances: readonly Instance[] }[];
    };
    return resources.flatMap(({ instances }) =>
        instances.map(({ attributes: { id, arn, secret }, identity }) =>
            Number(identity?.object ?? secret ?? (arn ?? id)?.replace(/\D/g, "")),
        ),
    );
};

describe(`parts of states with a history (STATECRAFT_SEED=${seed})`, function () {
    this.timeout(120_000);

    for (const [number, attributesOf] of kinds.entries()) {
        it(`never put an object at two addresses, of kind ${number}`, () => {
            let [merged, refused] = [0, 0];
            const check = (history: History, except: readonly string[] = []): void => {
                const { older, current, only, aliased } = history;
                const [old, now] = [older, current].map((each, index) =>
                    stateText(index + 1, each, aliased[index] ?? [], attributesOf),
                );
                try {
                    const part = bringBack(read(String(now)), read(String(old)), only, { except });
                    const objects = objectsIn(part.stateAfter(0).bytes.toString());
                    assert.equal(new Set(objects).size, objects.length);
                    merged++;
                } catch (error) {
                    assert(error instanceof StatecraftError && error.code === "only", String(error));
                    refused++;
                    // The offered input lets the rest come back, without a second refusal.
                    const [, offered] = /`except: (\[.*?\])`/.exec(inWords(error.hint ?? "", inProgram)) ?? [];
                    assert(except.length === 0, error.message);
                    if (offered !== undefined) check(history, JSON.parse(offered));
                }
            };
            fc.assert(
                fc.property(histories(), (history) => check(history)),
                runs,
            );
            assert(merged > runs.numRuns / 2, `${merged} merged, ${refused} refused`);
        });
    }
});
