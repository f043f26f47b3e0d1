/** A left-out field whose meaning depends on others: what a refresh stores of it must mean what the service holds. */

import assert from "node:assert/strict";
import { declared } from "../../src/core/declared";
import { type Fields, field, type Props } from "../../src/core/field";
import { count, flag, text } from "../../src/core/kind";
import { lifecycle } from "../../src/core/lifecycle";
import { compose, fromWire, isSameField, toWire } from "../../src/core/meaning";
import { dynamicProvider } from "../../src/pulumi/dynamic-provider";
import { Life } from "../support/life";
import { fakeService } from "./fake";
import { chance, seed } from "./random";

const fields = {
    name: field(text(), { doc: "Name.", required: true, replaces: true }),
    rate: field(count(), { doc: "Rate.", wire: "rate", default: 0 }),
    // Depends on what stands below it.
    inheritable: field(flag, {
        doc: "Whether paths below have it too.",
        wire: "inheritable",
        defaultBy: (written: Props) => Boolean(written["path"]),
    }),
    path: field(text(), { doc: "Path.", wire: "path", default: "" }),
    label: field(text(), { doc: "Label.", wire: "label", defaultFrom: "path" }),
} as const satisfies Fields;

describe("a default that depends on another field", () => {
    it("is that of what the service holds: a program that follows half of a drift changes the other half", async () => {
        const fake = fakeService();
        let held: Props | undefined;
        const verbs = declared<string>({
            inputs: fields,
            title: (name) => `thing ${name}`,
            address: ({ name }) => String(name),
            id: (name) => name,
            parse: (name) => name,
            idForm: "<name>",
            named: (name) => ({ name }),
            observe: async (_, name) => held && { fields: { name, ...fromWire(fields, held) } },
            write: async (_, __, inputs) => {
                held = toWire(fields, inputs);
            },
            remove: async () => {
                held = undefined;
            },
        });
        const host = {
            open: async () => fake.session,
            vocabulary: () => "documented" as const,
            defaults: () => ({ vocabulary: "documented" as const, namespace: undefined }),
            strict: false,
            say: () => undefined,
            warnOnce: () => undefined,
            memory: {},
            redacted: (message: string) => message,
        };
        const definition = { ...fake.definition, inputs: fields, verbs };
        const life = new Life(
            dynamicProvider(lifecycle(definition, host), () => undefined),
            [],
        );
        await life.up({ name: "web", rate: 5 });
        held = { ...held, path: "a", label: "a", inheritable: false };
        assert.deepEqual(await life.refresh(), ["inheritable", "label", "path"]);
        assert.equal(await life.up({ name: "web", rate: 5, path: "a" }), "updated");
        assert.deepEqual(held, { rate: 5, path: "a", label: "a", inheritable: true });
        assert.equal(await life.up({ name: "web", rate: 5, path: "a" }), "same");
        assert.deepEqual(await life.refresh(), []);
    });

    it(`is stored so that the outputs mean what the service holds (seed ${seed})`, () => {
        const draw = chance();
        const drawn = () => ({
            ...(draw.whole(2) ? { path: draw.pick(["", "a", "b"]) } : {}),
            ...(draw.whole(2) ? { label: draw.pick(["", "a", "b"]) } : {}),
            ...(draw.whole(2) ? { inheritable: draw.pick([true, false]) } : {}),
        });
        for (let round = 0; round < 300; round++) {
            const mine = { name: "web", ...drawn() };
            const seen = fromWire(fields, toWire(fields, drawn()));
            const outputs = compose(fields, mine, seen);
            for (const name of (["path", "label", "inheritable"] as const).filter((told) => told in seen)) {
                const told = `${name} of ${JSON.stringify({ mine, seen, outputs })}`;
                assert(isSameField({ [name]: { ...fields[name] }, path: fields.path }, name, outputs, seen), told);
            }
        }
    });
});
