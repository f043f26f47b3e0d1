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
import { Declared } from "../schema/declared";
import { encode, type Live, readAnswer } from "../schema/meaning";
import { holdsUnknown, type Values } from "../schema/values";
import type { Context } from "./context";
import { Lifecycle, type Update } from "./lifecycle";
import { type AnyNamed, type Deployed, HalfMade, type Stored, stateOf, type Write } from "./resource";

/** The result of a read: decoded inputs, and outputs. */
interface Observed {
    readonly live: Live;
    readonly outputs: Values;
}

/** Attempts of the read after a write: a replica may return a new object only a moment after the write. */
const readBack = { tries: 3, milliseconds: 1_000 };

/** The lifecycle of a named object. */
export class NamedObject extends Lifecycle<AnyNamed> {
    async create(context: Context, declared: Declared): Promise<Stored> {
        const { resource } = this;
        const address = this.newAddress(context, declared);
        // Otherwise two resources of the same object could both find it absent and write it.
        const observed = await context.exclusive(resource.id(address), async () => {
            const existing = await this.observe(context, address);
            if (existing) return this.adopt(context, address, declared, existing);
            await this.send(context, address, declared, "new");
            return undefined;
        });
        return this.finish(context, address, declared, observed);
    }

    async read(context: Context, id: string, deployed: Deployed): Promise<Stored | undefined> {
        const address = this.addressOf(id);
        const program = deployed.isEmpty ? undefined : deployed;
        const observed = await this.observe(context, address, program);
        if (observed === undefined) return undefined;
        // State keeps the declared inputs, so that the next `up` can find out whether the lost request created the object.
        if (deployed.unfinished.includes("create") && this.hasDrift(deployed, observed)) {
            return { id, outputs: deployed.written };
        }
        const { outputs } = compare(this.resource.node, program, observed.live);
        return { id, outputs: { ...deployed.outputs, ...outputs, ...observed.outputs } };
    }

    async update(context: Context, id: string, update: Update): Promise<Values> {
        const { deployed, declared, isChanged } = update;
        const { unfinished } = deployed;
        const address = this.addressOf(id);
        if (unfinished.includes("create")) return this.resumeCreate(context, address, update);
        if (unfinished.includes("readBack")) {
            return this.resumeWrite(context, address, update, await this.observe(context, address, deployed));
        }
        if (isChanged) await this.send(context, address, declared, deployed);
        else if (unfinished.length === 0) return { ...deployed.outputs, ...declared.written };
        return (await this.finish(context, address, declared)).outputs;
    }

    /** Completes a create whose answer was lost. */
    private async resumeCreate(context: Context, address: unknown, update: Update): Promise<Values> {
        const { deployed, declared } = update;
        const observed = await this.observe(context, address);
        const isAdopted = observed && (declared.written["adopt"] === true || this.hasDrift(deployed, observed));
        if (!isAdopted) return this.resumeWrite(context, address, update, observed);
        const adopted = await this.adopt(context, address, declared, observed);
        return (await this.finish(context, address, declared, adopted)).outputs;
    }

    /** Completes a write that was not read back: repeats it unless the object is as declared. */
    private async resumeWrite(
        context: Context,
        address: unknown,
        { deployed, declared, isChanged }: Update,
        observed: Observed | undefined,
    ): Promise<Values> {
        const isWritten = observed === undefined || isChanged || this.isIncomplete(declared, observed);
        if (isWritten) await this.send(context, address, declared, observed ? deployed : "new");
        return (await this.finish(context, address, declared, isWritten ? undefined : observed)).outputs;
    }

    async delete(context: Context, id: string, deployed: Deployed): Promise<void> {
        const { resource } = this;
        const address = this.addressOf(id);
        if (deployed.unfinished.includes("create")) {
            const observed = await this.observe(context, address);
            if (observed === undefined) return;
            if (this.hasDrift(deployed, observed)) {
                throw new StatecraftError(
                    "exists",
                    `the ${resource.title(address)} was not deleted: it differs from what the interrupted run was creating, so somebody else may have created it`,
                    { hint: "Run `pulumi state delete <urn>` to leave it on the server, or delete it there" },
                );
            }
        }
        await resource.remove?.(context, address, stateOf(resource, deployed)).catch(unlessAbsent);
    }

    /** Inputs that are not known yet count as equal to the object's values. */
    override async existing(context: Context, declared: Declared): Promise<StatecraftError | undefined> {
        const { resource } = this;
        const address = resource.address(declared.meaning, context.settings);
        const observed = await this.observe(context, address);
        if (observed === undefined) return undefined;
        if (!adoptsIdentical(context, declared)) return existsError(resource.title(address));
        const { drift } = compare(resource.node, declared, observed.live);
        const differing = drift.filter((path) => !holdsUnknown(declared.written[topLevel(path)]));
        return differing.length === 0 ? undefined : differsError(resource.title(address), differing);
    }

    /**
     * The address of a new object. @throws StatecraftError if its id does not parse to the same address, because the next run would not
     * find the object
     */
    private newAddress({ settings }: Context, { meaning }: Declared): unknown {
        const { resource } = this;
        const address = resource.address(meaning, settings);
        const id = resource.id(address);
        if (isDeepStrictEqual(resource.parse(id), address)) return address;
        const problem = `the id would be ${JSON.stringify(id)}, which does not have the form ${resource.idForm}`;
        throw new StatecraftError("id", problem);
    }

    /** Reads the object. @param deployed only for an object that this resource created or adopted */
    private async observe(context: Context, address: unknown, deployed?: Declared): Promise<Observed | undefined> {
        const { resource } = this;
        const seen = await resource.read(context, address, deployed && stateOf(resource, deployed)).catch(unlessAbsent);
        if (seen === undefined) return undefined;
        const body = resource.fromWire?.(seen.body ?? {}) ?? seen.body ?? {};
        const live = { ...readAnswer(resource.node, body), ...seen.inputs } as Live;
        return { live, outputs: seen.outputs ?? {} };
    }

    private hasDrift(declared: Declared, { live }: Observed): boolean {
        return compare(this.resource.node, declared, live).drift.length > 0;
    }

    /** Whether one of these properties differs between `before` and `declared`. */
    private hasChanged(paths: readonly string[], before: Declared, declared: Declared): boolean {
        const changed = new Set(changedNames(diff(before, declared)));
        return paths.some((path) => changed.has(topLevel(path)));
    }

    /** Whether the object lacks a declared value that another write could set. */
    private isIncomplete(declared: Declared, { live }: Observed): boolean {
        const { properties } = this.resource.node;
        const { drift, dropped } = compare(this.resource.node, declared, live);
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
        declared: Declared,
        existing: Observed,
    ): Promise<Observed | undefined> {
        const { resource } = this;
        const title = resource.title(address);
        const isWritten = declared.written["adopt"] === true;
        if (!isWritten && !adoptsIdentical(context, declared)) throw existsError(title);
        const { outputs, drift, hidden } = compare(resource.node, declared, existing.live);
        const nothing = new Declared(resource.node, {});
        if (drift.length === 0 && (!isWritten || !this.hasChanged(hidden, nothing, declared))) return existing;
        if (!isWritten) throw differsError(title, drift);
        const immovable = replacing(diff(new Declared(resource.node, outputs), declared));
        if (immovable.length > 0) {
            throw new StatecraftError(
                "exists",
                `the ${title} exists already and was not changed, because no write can change its ${immovable.join(", ")}`,
                { hint: "Declare these as the object has them, or delete the object first" },
            );
        }
        await this.send(context, address, declared, "adopted");
        return undefined;
    }

    /**
     * Writes the object. If the answer is lost, reads the object to find out whether the write succeeded.
     * @param before the state of the last deployment, unless the object is new or was just adopted
     */
    private async send(
        context: Context,
        address: unknown,
        declared: Declared,
        before: Deployed | "new" | "adopted",
    ): Promise<void> {
        const { resource } = this;
        const { node } = resource;
        const { meaning } = declared;
        const [isNew, deployed] = [before === "new", typeof before === "string" ? undefined : before];
        const write: Write<AnyNamed["inputs"]> = {
            body: encode(node, meaning),
            inputs: meaning,
            olds: deployed?.meaning,
        };
        const body = resource.toWire?.(write.body, write) ?? write.body;
        try {
            await resource.write(context, address, { ...write, body });
        } catch (lost) {
            if (!isLostAnswer(lost)) throw lost;
            const title = resource.title(address);
            const observed = await this.observe(context, address, deployed).catch((unseen: unknown) => {
                if (!isNew) throw lost;
                const problem = `the answer to the request was lost, and the next \`pulumi up\` finds out whether the ${title} was created`;
                throw new HalfMade(problem, { outputs: declared.written, steps: ["create"], cause: unseen }).of(
                    resource.id(address),
                    {},
                );
            });
            if (observed === undefined) throw lost;
            const { drift, hidden } = compare(node, declared, observed.live);
            if (drift.length > 0) throw isNew ? Object.assign(existsError(title), { cause: lost }) : lost;
            // A new object has the written values of its hidden properties. An object that existed before may still have the old ones.
            if (!isNew && this.hasChanged(hidden, deployed ?? new Declared(node, {}), declared)) throw lost;
        }
    }

    /** Reads the object back, warns about values that the server does not show as written, and waits if the inputs ask for it. */
    private async finish(context: Context, address: unknown, declared: Declared, observed?: Observed): Promise<Stored> {
        const { live, outputs } = observed ?? (await this.readBack(context, address, declared));
        const compared = compare(this.resource.node, declared, live);
        for (const path of [...compared.drift, ...compared.dropped]) {
            context.warn(
                "dropped",
                `${path}: the server accepted the write but does not show the value. Leave the property out if this server does not know it, and let no other program write the object.`,
            );
        }
        return this.waited(context, address, declared, { ...compared.outputs, ...outputs });
    }

    private async readBack(context: Context, address: unknown, declared: Declared): Promise<Observed> {
        try {
            for (let tries = 1; tries <= readBack.tries; tries++) {
                if (tries > 1) await context.sleep(readBack.milliseconds);
                const observed = await this.observe(context, address, declared);
                if (observed !== undefined) return observed;
            }
            throw new StatecraftError(
                "vanished",
                `the ${this.resource.title(address)} is absent right after it was written`,
                { hint: "Run `pulumi up` again, or find out what deletes the object" },
            );
        } catch (error) {
            const problem = "it was written but could not be read back; the next `pulumi up` goes on from there";
            const { written } = declared;
            throw new HalfMade(problem, { steps: ["readBack"], cause: error }).of(this.resource.id(address), written);
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
const adoptsIdentical = ({ adoptIdentical }: Context, { written }: Declared) =>
    written["adopt"] === "identical" || adoptIdentical;
