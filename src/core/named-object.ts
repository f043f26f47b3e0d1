/**
 * A named object is an object whose id consists of its inputs and that each write replaces completely. Create, update, adoption and the
 * continuation of a partial create read the object, compare it with the program, write it and read it again. State stores the service's
 * last answer.
 *
 * | `unfinished` | the service shows        | the next `up`                            |
 * | ------------ | ------------------------ | ---------------------------------------- |
 * | `create`     | no such object           | writes it                                |
 * | `create`     | the object as declared   | stores it: the lost request created it   |
 * | `create`     | anything else            | adopts it if `adopt` is set, else fails  |
 * | `readBack`   | no such object, or drift | writes it                                |
 * | `wait`       |                          | waits again                              |
 */

import { isDeepStrictEqual } from "node:util";
import { isLostAnswer, StatecraftError, unlessAbsent } from "../errors";
import { changedNames, compare, diff, replacing, topLevel } from "../schema/compare";
import { encode, type Live, meaningOf, readAnswer } from "../schema/meaning";
import { holdsUnknown, type Values } from "../schema/values";
import type { Context, ServerDefaults } from "./context";
import { Lifecycle } from "./lifecycle";
import { type AnyResource, HalfMade, outputsIn, type Stored, unfinishedSteps, type Write } from "./resource";

/** The result of a read: decoded inputs, and outputs. */
interface Observed {
    readonly live: Live;
    readonly outputs: Values;
}

/** Attempts of the read after a write: a replica may return a new object only a moment after the write. */
const readBack = { tries: 3, milliseconds: 1_000 };

/** The lifecycle of a named object. */
export class NamedObject extends Lifecycle {
    async create(context: Context, inputs: Values): Promise<Stored> {
        const { resource } = this;
        const address = this.newAddress(inputs, context.settings);
        // Otherwise two resources of the same object could both find it absent and write it.
        const observed = await context.exclusive(resource.id(address), async () => {
            const existing = await this.observe(context, address);
            if (existing) return this.adopt(context, address, inputs, existing);
            await this.send(context, address, inputs, { isNew: true });
            return undefined;
        });
        return this.finish(context, address, inputs, observed);
    }

    async read(context: Context, id: string, state: Values): Promise<Stored | undefined> {
        const { resource } = this;
        const address = this.addressOf(id);
        const isImport = Object.keys(state).length === 0;
        const observed = await this.observe(context, address, isImport ? undefined : state);
        if (observed === undefined) return undefined;
        // State keeps the declared inputs, so that the next `up` can find out whether the lost request created the object.
        if (unfinishedSteps(state).includes("create") && this.hasDrift(state, observed)) return { id, outputs: state };
        const { outputs } = compare(resource.node, isImport ? undefined : state, observed.live);
        return { id, outputs: { ...outputsIn(resource, state), ...outputs, ...observed.outputs } };
    }

    async update(context: Context, id: string, olds: Values, news: Values): Promise<Values> {
        const address = this.addressOf(id);
        const steps = unfinishedSteps(olds);
        const isDoubtful = steps.includes("create") || steps.includes("readBack");
        const known = steps.includes("create") ? undefined : olds;
        const observed = isDoubtful ? await this.observe(context, address, known) : undefined;
        if (observed && steps.includes("create") && (news["adopt"] === true || this.hasDrift(olds, observed))) {
            const adopted = await this.adopt(context, address, news, observed);
            return (await this.finish(context, address, news, adopted)).outputs;
        }
        const isAbsent = isDoubtful && observed === undefined;
        const isIncomplete = observed !== undefined && this.isIncomplete(news, observed);
        const isWritten = isAbsent || isIncomplete || this.isChanged(olds, news);
        if (!isWritten && steps.length === 0) return { ...outputsIn(this.resource, olds), ...news };
        if (isWritten) await this.send(context, address, news, isAbsent ? { isNew: true } : { olds });
        return (await this.finish(context, address, news, isWritten ? undefined : observed)).outputs;
    }

    async delete(context: Context, id: string, state: Values): Promise<void> {
        const { resource } = this;
        const address = this.addressOf(id);
        if (unfinishedSteps(state).includes("create")) {
            const observed = await this.observe(context, address);
            if (observed === undefined) return;
            if (this.hasDrift(state, observed)) {
                throw new StatecraftError(
                    "exists",
                    `the ${resource.title(address)} was not deleted: it differs from what the interrupted run was creating, so somebody else may have created it`,
                    { hint: "Run `pulumi state delete <urn>` to leave it on the server, or delete it there" },
                );
            }
        }
        await resource.remove?.(context, address, this.decoded(state)).catch(unlessAbsent);
    }

    /**
     * The error that `create` would throw because the object exists. Inputs that are not known yet count as equal to the object's values.
     */
    async existing(context: Context, inputs: Values): Promise<StatecraftError | undefined> {
        const { resource } = this;
        const address = resource.address(meaningOf(resource.node, inputs), context.settings);
        const observed = await this.observe(context, address);
        if (observed === undefined) return undefined;
        if (!adoptsIdentical(context, inputs)) return existsError(resource.title(address));
        const { drift } = compare(resource.node, inputs, observed.live);
        const known = drift.filter((path) => !holdsUnknown(inputs[topLevel(path)]));
        return known.length === 0 ? undefined : differsError(resource.title(address), known);
    }

    /**
     * The address of a new object. @throws StatecraftError if its id does not parse to the same address, because the next run would not
     * find the object
     */
    private newAddress(inputs: Values, settings: ServerDefaults): unknown {
        const { resource } = this;
        const address = resource.address(meaningOf(resource.node, inputs), settings);
        const id = resource.id(address);
        if (isDeepStrictEqual(resource.parse(id), address)) return address;
        const problem = `the id would be ${JSON.stringify(id)}, which does not have the form ${resource.idForm}`;
        throw new StatecraftError("id", problem);
    }

    /** Reads the object. @param state only for an object that this resource created or adopted */
    private async observe(context: Context, address: unknown, state?: Values): Promise<Observed | undefined> {
        const { resource } = this;
        const seen = await resource.read?.(context, address, state && this.decoded(state)).catch(unlessAbsent);
        if (seen === undefined) return undefined;
        const body = resource.fromWire?.(seen.body ?? {}) ?? seen.body ?? {};
        const live = { ...readAnswer(resource.node, body), ...seen.inputs } as Live;
        return { live, outputs: seen.outputs ?? {} };
    }

    private hasDrift(inputs: Values, { live }: Observed): boolean {
        return compare(this.resource.node, inputs, live).drift.length > 0;
    }

    /** Whether one of these properties differs between `olds` and `inputs`. */
    private hasChanged(paths: readonly string[], olds: Values, inputs: Values): boolean {
        const changed = new Set(changedNames(diff(this.resource.node, olds, inputs)));
        return paths.some((path) => changed.has(topLevel(path)));
    }

    /** Whether the object lacks a declared value that another write could set. */
    private isIncomplete(inputs: Values, { live }: Observed): boolean {
        const { properties } = this.resource.node;
        const { drift, dropped } = compare(this.resource.node, inputs, live);
        return [...drift, ...dropped].some((path) => !properties.get(topLevel(path))?.facts.immutable);
    }

    /**
     * Takes over an object that this resource did not create.
     *
     * | the object                             | `adopt: true` | `adopt: "identical"` | neither |
     * | -------------------------------------- | ------------- | -------------------- | ------- |
     * | is as declared                         | adopted       | adopted              | fails   |
     * | differs                                | written       | fails                | fails   |
     * | differs in what no write can change    | fails         | fails                | fails   |
     *
     * @returns what was observed, or `undefined` if the object was written
     */
    private async adopt(
        context: Context,
        address: unknown,
        inputs: Values,
        existing: Observed,
    ): Promise<Observed | undefined> {
        const { resource } = this;
        const title = resource.title(address);
        const isWritten = inputs["adopt"] === true;
        if (!isWritten && !adoptsIdentical(context, inputs)) throw existsError(title);
        const { outputs, drift, hidden } = compare(resource.node, inputs, existing.live);
        if (drift.length === 0 && (!isWritten || !this.hasChanged(hidden, {}, inputs))) return existing;
        if (!isWritten) throw differsError(title, drift);
        const immovable = replacing(diff(resource.node, outputs, inputs));
        if (immovable.length > 0) {
            throw new StatecraftError(
                "exists",
                `the ${title} exists already and was not changed, because no write can change its ${immovable.join(", ")}`,
                { hint: "Declare these as the object has them, or delete the object first" },
            );
        }
        await this.send(context, address, inputs, {});
        return undefined;
    }

    /** Writes the object. If the answer is lost, reads the object to find out whether the write succeeded. */
    private async send(
        context: Context,
        address: unknown,
        inputs: Values,
        { olds, isNew = false }: { readonly olds?: Values; readonly isNew?: boolean },
    ): Promise<void> {
        const { resource } = this;
        const { node } = resource;
        const meaning = meaningOf(node, inputs);
        const write: Write<AnyResource["inputs"]> = {
            body: encode(node, meaning),
            inputs: meaning,
            olds: olds && meaningOf(node, olds),
        };
        try {
            await resource.write?.(context, address, {
                ...write,
                body: resource.toWire?.(write.body, write) ?? write.body,
            });
        } catch (lost) {
            if (!isLostAnswer(lost)) throw lost;
            const title = resource.title(address);
            const observed = await this.observe(context, address, olds).catch((unseen: unknown) => {
                if (!isNew) throw lost;
                const problem = `the answer to the request was lost, and the next \`pulumi up\` finds out whether the ${title} was created`;
                throw new HalfMade(inputs, ["create"], problem, unseen).of(resource.id(address), {});
            });
            if (observed === undefined) throw lost;
            const { drift, hidden } = compare(node, inputs, observed.live);
            if (drift.length > 0) throw isNew ? Object.assign(existsError(title), { cause: lost }) : lost;
            // A new object has the written values of its hidden properties. An object that existed before may still have the old ones.
            if (!isNew && this.hasChanged(hidden, olds ?? {}, inputs)) throw lost;
        }
    }

    /** Reads the object back, warns about values that the server does not show as written, and waits if the inputs ask for it. */
    private async finish(context: Context, address: unknown, inputs: Values, observed?: Observed): Promise<Stored> {
        const { resource } = this;
        const { live, outputs: seen } = observed ?? (await this.readBack(context, address, inputs));
        const { outputs, drift, dropped } = compare(resource.node, inputs, live);
        for (const path of [...drift, ...dropped]) {
            context.warn(
                "dropped",
                `${path}: the server accepted the write but does not show the value. Leave the property out if this server does not know it, and let no other program write the object.`,
            );
        }
        return this.waited(context, address, inputs, { ...outputs, ...seen });
    }

    private async readBack(context: Context, address: unknown, inputs: Values): Promise<Observed> {
        try {
            for (let tries = 1; tries <= readBack.tries; tries++) {
                if (tries > 1) await context.sleep(readBack.milliseconds);
                const observed = await this.observe(context, address, inputs);
                if (observed !== undefined) return observed;
            }
            throw new StatecraftError(
                "vanished",
                `the ${this.resource.title(address)} is absent right after it was written`,
                { hint: "Run `pulumi up` again, or find out what deletes the object" },
            );
        } catch (error) {
            const problem = "it was written but could not be read back; the next `pulumi up` goes on from there";
            throw new HalfMade({}, ["readBack"], problem, error).of(this.resource.id(address), inputs);
        }
    }
}

const existsError = (title: string) =>
    new StatecraftError("exists", `the ${title} exists already and was not changed`, {
        hint: "To manage it in this stack, set `adopt: true`, or run `STATECRAFT_ADOPT=identical pulumi up` if it is as declared",
    });

const differsError = (title: string, paths: readonly string[]) =>
    new StatecraftError(
        "exists",
        `the ${title} exists already and was not changed, because it is not as declared: ${paths.join(", ")}`,
        { hint: "Declare what the object holds, or set `adopt: true` to overwrite it" },
    );

/** Whether an object that is exactly as declared is adopted. */
const adoptsIdentical = ({ adoptIdentical }: Context, { adopt }: Values) => adopt === "identical" || adoptIdentical;
