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
import { mayHaveActed, StatecraftError, unlessAbsent } from "../errors";
import { changedNames, compare, diff, replacing, topLevel } from "../schema/compare";
import { Declared } from "../schema/declared";
import { encode, isSame, type Live, readAnswer } from "../schema/meaning";
import { changeSecrets } from "../schema/secrets";
import { holdsUnknown, type Values } from "../schema/values";
import type { IdParts } from "./identity";
import { type Changes, isActed, Lifecycle } from "./lifecycle";
import { type AnyNamed, type Deployed, HalfMade, type Stored, stateOf } from "./resource";
import { spelledLike } from "./secret-inputs";
import { step } from "./steps";

/** The result of a read: decoded inputs, and outputs. */
interface Observed {
    readonly live: Live;
    readonly outputs: Values;
}

/** The object before a write, and how the write changes it. */
interface Before {
    readonly deployed: Declared;
    readonly changes: Changes;
}

/** Attempts of the read after a write: a replica may return a new object only a moment after the write. */
const readBack = { tries: 3, milliseconds: 1_000 };

/** The lifecycle of a named object. */
export class NamedObject extends Lifecycle<AnyNamed> {
    async create(declared: Declared): Promise<Stored> {
        const { resource } = this;
        const address = this.newAddress(declared);
        // Otherwise two resources of the same object could both find it absent and write it.
        return this.context.exclusive(resource.identity.id(address), async () => {
            const existing = await this.observe(address, declared);
            if (existing) return this.adopt(address, declared, existing);
            await this.send("create", address, declared);
            return this.finish(address, declared, this.readBack(address, declared));
        });
    }

    async read(id: string, deployed: Deployed): Promise<Stored | undefined> {
        const address = this.addressOf(id);
        const program = deployed.isEmpty ? undefined : deployed;
        const observed = await this.observe(address, deployed, program);
        if (observed === undefined) return undefined;
        const { node, outputNode } = this.resource;
        this.context.assertKinds(node, observed.live);
        this.context.assertKinds(outputNode, observed.outputs);
        // State keeps the declared inputs, so that the next `up` can find out whether the lost request created the object.
        if (deployed.unfinished.includes("create") && this.hasDrift(deployed, observed)) {
            return { id, outputs: deployed.written };
        }
        const { outputs } = compare(node, program, observed.live);
        return { id, outputs: { ...deployed.outputs, ...outputs, ...observed.outputs } };
    }

    async update(id: string, deployed: Deployed, declared: Declared, changes: Changes): Promise<Stored> {
        const { unfinished } = deployed;
        const address = this.addressOf(id);
        if (unfinished.includes("create")) return this.resumeCreate(address, deployed, declared, changes);
        if (unfinished.includes("readBack")) {
            const observed = await this.observe(address, declared, deployed);
            return this.resumeWrite(address, deployed, declared, changes, observed);
        }
        if (isActed(changes)) await this.send("update", address, declared, deployed);
        else if (unfinished.length === 0) return { id, outputs: { ...deployed.outputs, ...declared.written } };
        return this.finish(address, declared, this.readBack(address, declared, { deployed, changes }));
    }

    /** Completes a create whose answer was lost. */
    private async resumeCreate(
        address: IdParts,
        deployed: Deployed,
        declared: Declared,
        changes: Changes,
    ): Promise<Stored> {
        const observed = await this.observe(address, declared);
        const isAdopted = observed && (declared.adopt === true || this.hasDrift(deployed, observed));
        if (!isAdopted) return this.resumeWrite(address, deployed, declared, changes, observed);
        return this.adopt(address, declared, observed);
    }

    /** Completes a write that was not read back: repeats it unless the object is as declared. */
    private async resumeWrite(
        address: IdParts,
        deployed: Deployed,
        declared: Declared,
        changes: Changes,
        observed: Observed | undefined,
    ): Promise<Stored> {
        if (observed !== undefined && !isActed(changes) && !this.isIncomplete(declared, observed)) {
            return this.finish(address, declared, observed);
        }
        if (observed) await this.send("update", address, declared, deployed, observed);
        else await this.send("create", address, declared);
        return this.finish(address, declared, this.readBack(address, declared, observed && { deployed, changes }));
    }

    async delete(id: string, deployed: Deployed): Promise<void> {
        const { resource } = this;
        if (this.context.options.isRetained) return;
        const address = this.addressOf(id);
        let { written } = deployed;
        if (deployed.unfinished.includes("create")) {
            const observed = await this.observe(address, deployed);
            if (observed === undefined) return;
            written = { ...written, ...observed.outputs };
            if (this.hasDrift(deployed, observed)) {
                const reason = "it differs from what the interrupted run was creating, so it may be another program's";
                const hint = "Run `pulumi state delete <urn>` to leave it on the server, or delete it there";
                throw new StatecraftError("exists", `the ${resource.title(address)} was not deleted: ${reason}`, {
                    hint,
                });
            }
        }
        await this.unlessGone(
            resource.remove?.(this.context, address, stateOf(resource, { meaning: deployed.meaning, written })) ??
                Promise.resolve(),
        );
    }

    /** Inputs that are not known yet count as equal to the object's values. */
    override async reportExisting(declared: Declared, report: (problem: StatecraftError) => void): Promise<void> {
        const { context, resource } = this;
        const address = resource.address(declared.meaning, context.settings);
        const observed = await this.observe(address, declared);
        if (observed === undefined) return;
        const title = resource.title(address);
        const { drift, hidden } = compare(resource.node, declared, observed.live);
        const isKnown = (path: string) => !holdsUnknown(declared.written[topLevel(path)]);
        const differing = drift.filter(isKnown);
        if (declared.adopt === true) {
            const changes = differing.map(changeText(declared, observed)).join(", ") || "nothing that the server shows";
            const unshown = hidden.length === 0 ? "" : `; the server does not show ${hidden.join(", ")}`;
            const advice = "If another resource or tool manages it, remove it there first without deleting it";
            const text = `\`up\` will take over the existing ${title} and change ${changes}${unshown}`;
            context.inform("preview", `${text}. ${advice}.`);
        } else if (!this.adoptsIdentical(declared)) report(existsError(title));
        else if (differing.length > 0) report(differsError(title, differing));
    }

    /**
     * The address of a new object. @throws StatecraftError if its id does not parse to the same address, because the next run would not
     * find the object
     */
    private newAddress({ meaning }: Declared): IdParts {
        const { resource } = this;
        const address = resource.address(meaning, this.context.settings);
        const id = resource.identity.id(address);
        if (isDeepStrictEqual(resource.identity.parse(id), address)) return address;
        const problem = `the id would be ${JSON.stringify(id)}, which does not have the form ${resource.identity.form}`;
        throw new StatecraftError("id", problem);
    }

    /**
     * Reads the object.
     * @param declared what the object is compared with
     * @param state only for an object that this resource created or adopted
     */
    private async observe(address: IdParts, declared: Declared, state?: Declared): Promise<Observed | undefined> {
        const { resource } = this;
        const reading = resource.read(this.context, address, state && stateOf(resource, state));
        const answer = await (state === undefined ? reading.catch(unlessAbsent) : this.unlessGone(reading));
        if (answer === undefined) return undefined;
        const { body = {}, inputs, outputs = {} } = answer;
        const live = { ...readAnswer(resource.node, resource.fromWire?.(body) ?? body), ...inputs } as Live;
        if (declared.sourced.length === 0) return { live, outputs };
        const { secretReader } = this.context.session.runtime;
        return { live: (await spelledLike(secretReader, live, declared)) as Live, outputs };
    }

    /** The result for an object that this resource made; `undefined` if the service says that the object is absent. */
    private unlessGone<Result>(request: Promise<Result>): Promise<Result | undefined> {
        return this.resource.service.hidesObjects ? request : request.catch(unlessAbsent);
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
     */
    private async adopt(address: IdParts, declared: Declared, existing: Observed): Promise<Stored> {
        const { resource } = this;
        const title = resource.title(address);
        const isWritten = declared.adopt === true;
        if (!isWritten && !this.adoptsIdentical(declared)) throw existsError(title);
        const { outputs, drift, hidden } = compare(resource.node, declared, existing.live);
        const nothing = new Declared(resource.node, {});
        if (drift.length === 0 && (!isWritten || !this.hasChanged(hidden, nothing, declared))) {
            return this.finish(address, declared, existing);
        }
        if (!isWritten) throw differsError(title, drift);
        const deployed = new Declared(resource.node, outputs);
        const changes = diff(deployed, declared);
        const immovable = replacing(changes);
        if (immovable.length > 0) {
            const reason = `, because no write can change its ${immovable.join(", ")}`;
            throw existsError(title, reason, "Declare these as the object has them, or delete the object first");
        }
        await this.send("adopt", address, declared, undefined, existing);
        return this.finish(address, declared, this.readBack(address, declared, { deployed, changes }));
    }

    /** Whether an object that is exactly as declared is adopted. */
    private adoptsIdentical({ adopt }: Declared): boolean {
        return adopt === "identical" || this.context.session.adoptIdentical;
    }

    /**
     * Writes the object. If the answer is lost, reads the object to find out whether the write succeeded.
     * @param deployed the state of the last deployment, for an update
     * @param seen the object, if this operation has read it
     */
    private async send(
        kind: Parameters<AnyNamed["write"]>[2]["kind"],
        address: IdParts,
        declared: Declared,
        deployed?: Deployed,
        seen?: Observed,
    ): Promise<void> {
        const { resource } = this;
        const { node } = resource;
        const isNew = kind === "create";
        const [olds, outputs] = [deployed?.digested ?? {}, seen?.outputs ?? deployed?.outputs ?? {}];
        const { given: written, digested: inputs } = declared;
        const write = { kind, body: encode(node, declared.sent), inputs, written, olds, outputs };
        const body = resource.toWire?.(write.body, write) ?? write.body;
        try {
            await resource.write(this.context, address, { ...write, body });
        } catch (lost) {
            if (!mayHaveActed(lost)) throw lost;
            const [id, title] = [resource.identity.id(address), resource.title(address)];
            const observed = await this.observe(address, declared, deployed).catch((unseen: unknown) => {
                if (!isNew) throw lost;
                const problem = `the answer to the request was lost, and the next ${step.again()} finds out whether the ${title} was created`;
                throw new HalfMade(problem, { steps: ["create"], cause: unseen }).of(id, declared.written);
            });
            if (observed === undefined) throw lost;
            const { drift, hidden } = compare(node, declared, observed.live);
            if (drift.length > 0) throw isNew ? Object.assign(existsError(title), { cause: lost }) : lost;
            // A new object has the written values of its hidden properties. An object that existed before may still have the old ones.
            if (!isNew && this.hasChanged(hidden, deployed ?? new Declared(node, {}), declared)) throw lost;
        }
    }

    /** Warns about values that the server does not show as written, and waits if the inputs ask for it. */
    private async finish(
        address: IdParts,
        declared: Declared,
        observed: Observed | Promise<Observed>,
    ): Promise<Stored> {
        const { live, outputs: more } = await observed;
        const { node } = this.resource;
        const shown = this.context.withoutWrongKinds(node, live, declared.meaning);
        const { outputs, drift, dropped } = compare(node, declared, shown as Live);
        for (const path of [...drift, ...dropped]) {
            // There is a warning already.
            if (topLevel(path) in live && !(topLevel(path) in shown)) continue;
            this.context.warn(
                "dropped",
                `${path}: the server accepted the write but does not show the value. Leave the property out if this server does not know it, and let no other program write the object.`,
            );
        }
        return this.waited(address, declared, { ...outputs, ...more });
    }

    /**
     * Reads an object that was written: up to three times while it is absent, or while it has the values from before, as a server may
     * answer from a copy.
     */
    private async readBack(address: IdParts, declared: Declared, before?: Before): Promise<Observed> {
        try {
            let observed: Observed | undefined;
            for (let tries = 1; tries <= readBack.tries; tries++) {
                if (tries > 1) await this.context.sleep(readBack.milliseconds);
                observed = await this.observe(address, declared, declared);
                if (observed && !(before && isStale(before, observed.live))) return observed;
            }
            if (observed !== undefined) return observed;
            const absent = `the ${this.resource.title(address)} is absent right after it was written`;
            const hint = `Run ${step.again()} again, or find out what deletes the object`;
            throw new StatecraftError("vanished", absent, { hint });
        } catch (error) {
            const problem = `it was written but could not be read back; the next ${step.again()} goes on from there`;
            const id = this.resource.identity.id(address);
            throw new HalfMade(problem, { steps: ["readBack"], cause: error }).of(id, declared.written);
        }
    }
}

/** Whether every property that a write changed, and that an answer shows, still has the value from before. */
function isStale({ deployed: { node, meaning }, changes }: Before, live: Live): boolean {
    const changed = changedNames(changes).filter((name) => live[name] !== undefined);
    const isUnchanged = (name: string) => {
        const property = node.properties.get(name);
        return property !== undefined && isSame(property, meaning[name], live[name]);
    };
    return changed.length > 0 && changed.every(isUnchanged);
}

/** The texts of the changes that a write makes, such as `tokenMaxTtl: 7200 → 0`, without values of secrets. */
function changeText({ meaning, node }: Declared, { live }: Observed): (path: string) => string {
    const shown = [live, meaning].map((values) => changeSecrets(node.secrets, values, () => hidden));
    return (path) => {
        const [now, then] = shown.map((values) => {
            const value: unknown = path.split(".").reduce((each, name) => Object(each)[name], values);
            return value === undefined ? "none" : JSON.stringify(value);
        });
        return now === then ? path : `${path}: ${now} → ${then}`;
    };
}

const hidden = "[secret]";

const existsError = (title: string, reason = "", hint = adviceToAdopt) =>
    new StatecraftError("exists", `the ${title} exists already and was not changed${reason}`, { hint });

const adviceToAdopt =
    "To manage it in this stack, set `adopt: true`, or run `STATECRAFT_ADOPT=identical pulumi up` if it is as declared";

const differsError = (title: string, paths: readonly string[]) =>
    existsError(
        title,
        `, because it is not as declared: ${paths.join(", ")}`,
        "Declare what the object holds, or set `adopt: true` to overwrite it",
    );
