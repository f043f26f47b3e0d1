/**
 * Brings instances of an older Terraform state (format 4) into a newer one. The result consists of slices of both texts, because everything
 * that is not named must stay to the letter.
 *
 * An instance is replaced in, or added to, the entry of its resource with its provider. Deposed objects stay, and none come back.
 */

import { step } from "../../core/steps";
import { suggestion } from "../../schema/suggestion";
import { sortedJson } from "../../schema/values";
import { md5Of, type RawState } from "./content";
import { notesOn } from "./part-notes";
import { SameObjects } from "./same-object";
import { differing, type Instance, type Parts, refusal, serialAbove, withEntries, withInstances } from "./state-parts";
import { Addresses, stepsOf, withoutKeys } from "./terraform-address";

export { partsOf } from "./state-parts";

/** The inputs of the same names, beside `only`. */
export interface Exceptions {
    readonly except?: readonly string[] | undefined;
    readonly distinct?: readonly string[] | undefined;
}
export interface Selection extends Exceptions {
    readonly only: readonly string[];
}

/** Why an address cannot come back. */
interface Obstacle {
    readonly address: string;
    readonly reason: string;
    /** An input names it, and the older version does not have it. */
    readonly isUnknown?: true;
    /** Another instance is the object too. `isLikely`: unless `distinct` names the address. */
    readonly same?: { readonly isLikely: boolean; readonly isDeposed: boolean };
}

/** The instances that change when others come back: those of the current state, and those of the older one. */
export interface Change {
    readonly removed: ReadonlySet<Instance>;
    readonly replaced: ReadonlyMap<Instance, Instance>;
    readonly added: ReadonlySet<Instance>;
}

const returnedIn = ({ replaced, added }: Change) => [...replaced.values(), ...added];
const isStaying = ({ removed, replaced }: Change, instance: Instance) =>
    !removed.has(instance) && !replaced.has(instance);

/** The objects of a state that come back. `isWhole`: whether all instances of the resource do. */
function namedIn({ version, objects }: Parts, { only, except = [], distinct = [] }: Selection, obstacles: Obstacle[]) {
    const [kept, left, apart] = [new Addresses(only), new Addresses(except), new Addresses(distinct)];
    /** Resources of which some instances do not come back. */
    const divided = new Set<string>();
    const found = objects.flatMap((instance) => {
        const path = stepsOf(instance.address);
        const [names, isLeft, isApart] = [
            kept.naming(path),
            left.naming(path).length > 0,
            apart.naming(path).length > 0,
        ];
        if (isLeft) divided.add(instance.resource);
        const isWhole = names.some((steps) => steps.length < path.length || steps.at(-1)?.[1] === "");
        return names.length === 0 || isLeft ? [] : [{ instance, isWhole, isApart }];
    });
    for (const address of [...kept.unused, ...left.unused, ...apart.unused]) {
        const known = [...new Set(objects.flatMap((each) => [each.address, each.resource]))];
        obstacles.push({
            address,
            reason: `${version} has no ${address}${suggestion(address, known)}`,
            isUnknown: true,
        });
    }
    return found.map((each) => ({ ...each, isWhole: each.isWhole && !divided.has(each.instance.resource) }));
}

/** The change of `current` that brings named instances of `old` back. */
function changeOf(current: Parts, old: Parts, named: ReturnType<typeof namedIn>, obstacles: Obstacle[]): Change {
    const homes = new Set(current.entries.map(({ home }) => home));
    const present = new Map(current.objects.map((each) => [each.resource, each]));
    /** The forms of resources whose instances have other keys now. */
    const forms = new Map<string, string>();
    const removed = new Set<Instance>();
    const replaced = new Map<Instance, Instance>();
    const added = new Set<Instance>();
    for (const { instance, isWhole } of named) {
        const { address, resource, home, provider, form } = instance;
        const [now, sibling] = [current.byAddress.get(address), present.get(resource)];
        const hasOtherForm = sibling !== undefined && sibling.form !== form;
        const hasOtherProvider =
            now === undefined
                ? sibling !== undefined && !homes.has(home)
                : now.home !== home || now.provider !== provider;
        if (!isWhole && (hasOtherForm || hasOtherProvider)) {
            const cause = hasOtherForm
                ? "its instances have other keys (`count`, `for_each`)"
                : "it has another provider";
            const reason = `${address} cannot come back alone, because in ${current.version} ${cause}`;
            obstacles.push({ address, reason: `${reason}: name the whole resource ${resource}` });
            continue;
        }
        if (hasOtherForm) forms.set(resource, form);
        if (now === undefined || hasOtherProvider) added.add(instance);
        else if (sortedJson(current.valueIn(now)) !== sortedJson(old.valueIn(instance))) replaced.set(now, instance);
        if (now !== undefined && hasOtherProvider) removed.add(now);
    }
    for (const each of current.objects) if ((forms.get(each.resource) ?? each.form) !== each.form) removed.add(each);
    return { removed, replaced, added };
}

/** Resources on which a returned instance depends, and that the result does not have. */
function absentFrom(current: Parts, change: Change): Set<string> {
    const returned = returnedIn(change);
    const staying = current.objects.filter((each) => isStaying(change, each));
    const resources = new Set([...staying, ...returned].map(({ resource }) => resource));
    const known = new Set([...resources].map(withoutKeys));
    const needed = new Set(returned.flatMap(({ dependencies }) => dependencies ?? []));
    return new Set([...needed].map(withoutKeys).filter((each) => !known.has(each)));
}

/** The changes, and all obstacles. */
function planOf(current: Parts, old: Parts, selection: Selection) {
    const obstacles: Obstacle[] = [];
    const named = namedIn(old, selection, obstacles);
    const change = changeOf(current, old, named, obstacles);
    const returned = returnedIn(change);
    const absent = absentFrom(current, change);
    const needed = old.entries.flatMap(({ instances: [first, ...rest] }) =>
        first?.isManaged && absent.has(withoutKeys(first.resource)) ? [first, ...rest] : [],
    );
    const objects = new SameObjects(current, old, [...returned, ...needed]);
    const othersOf = (instance: Instance) => objects.of(instance).filter(({ other }) => isStaying(change, other));
    const apart = new Set(named.flatMap(({ instance, isApart }) => (isApart ? [instance] : [])));
    /** Instances with one `id` that are two objects. */
    const twins: (readonly [Instance, Instance])[] = [];
    for (const instance of returned) {
        const others = othersOf(instance);
        for (const { other, verdict } of others) if (verdict === "two") twins.push([instance, other]);
        const same = others.find(
            ({ verdict }) => verdict === "proven" || (verdict === "likely" && !apart.has(instance)),
        );
        if (same === undefined) continue;
        const { address, deposed } = same.other;
        const what = deposed === undefined ? address : `a deposed object of ${address}`;
        const reason = `${instance.address} of ${old.version} is ${what} in ${current.version}`;
        const kind = { isLikely: same.verdict === "likely", isDeposed: deposed !== undefined };
        obstacles.push({ address: instance.address, reason, same: kind });
    }
    // A resource that has another address now cannot come back, so no advice names it.
    const isMoved = (instance: Instance) => othersOf(instance).some(({ verdict }) => verdict !== "two");
    const lost = new Set(needed.filter((each) => !isMoved(each)).map(({ resource }) => withoutKeys(resource)));
    return { named, change, obstacles, twins, absent: [...lost] };
}

/** The shortest `except` with which the rest comes back. `undefined` if nothing does. */
function passingExcept(current: Parts, old: Parts, selection: Selection, obstacles: readonly Obstacle[]) {
    const unknown = new Set(obstacles.flatMap(({ address, isUnknown }) => (isUnknown ? [address] : [])));
    const known = (all: readonly string[] = []) => all.filter((each) => !unknown.has(each));
    const except = new Set(known(selection.except));
    for (let rest = obstacles.filter(({ isUnknown }) => !isUnknown); rest.length > 0; ) {
        const before = except.size;
        for (const { address } of rest) except.add(address);
        // Otherwise `except` does not name what is in the way, and the loop would not end.
        if (except.size === before) return undefined;
        const others = { only: known(selection.only), except: [...except], distinct: known(selection.distinct) };
        const plan = planOf(current, old, others);
        if (plan.named.length === 0) return undefined;
        rest = plan.obstacles;
    }
    return [...except];
}

const mostReasons = 10;

/** The error for everything that cannot come back, with the inputs that let the rest come back. */
function refusalOf(current: Parts, old: Parts, selection: Selection, obstacles: readonly Obstacle[]) {
    const reasons = obstacles.slice(0, mostReasons).map(({ reason }) => reason);
    const more = obstacles.length > mostReasons ? [`and ${obstacles.length - mostReasons} more`] : [];
    const lead = obstacles.length === 1 ? "" : `${obstacles.length} addresses cannot come back: `;
    const isSame = obstacles.some(({ same }) => same !== undefined);
    const why = isSame ? ", and one object under two addresses is destroyed by a later plan" : "";
    const except = passingExcept(current, old, selection, obstacles) ?? [];
    const likely = obstacles.flatMap(({ address, same }) => (same?.isLikely ? [address] : []));
    const distinct = step.option(`distinct: ${JSON.stringify([...(selection.distinct ?? []), ...likely])}`);
    const hints = [
        ...(except.length > 0
            ? [`Leave out what cannot come back: \`${step.option(`except: ${JSON.stringify(except)}`)}\``]
            : []),
        ...(obstacles.some(({ same }) => same?.isDeposed === false) ? ["Move the resource with a `moved` block"] : []),
        ...(likely.length > 0 ? [`If they are two objects: \`${distinct}\``] : []),
    ];
    const message = `${lead}${[...reasons, ...more].join("; ")}${why}`;
    return refusal(message, hints.length > 0 ? hints.join(". ") : undefined);
}

/**
 * Brings the instances of `old` that `only` names into `current`. Returns what changes, and the state that results.
 * @throws StatecraftError if an address names nothing, or if Terraform could not read the result, or would destroy an object because of it
 */
export function bringBack(current: Parts, old: Parts, only: readonly string[], exceptions: Exceptions = {}) {
    const selection = { ...exceptions, only };
    if (current.lineage !== old.lineage) throw refusal(`${old.version} has another lineage than ${current.version}`);
    const { named, change, obstacles, ...facts } = planOf(current, old, selection);
    if (obstacles.length > 0) throw refusalOf(current, old, selection, obstacles);
    if (named.length === 0)
        throw refusal(`\`${step.option("except")}\` leaves nothing that comes back`, "Leave less out");
    const { byAddress, objects } = current;
    const returned = returnedIn(change);
    const returnedAddresses = new Set(returned.map(({ address }) => address));
    /** The address of a replaced instance, with the names of what differs. */
    const described = (instance: Instance) => {
        const before = byAddress.get(instance.address);
        return `${instance.address} (${before ? differencesOf(current, before, old, instance).join(", ") : ""})`;
    };
    const staying = objects.filter((each) => isStaying(change, each));
    return {
        comesBack: [...returnedAddresses].filter((address) => !byAddress.has(address)),
        replaced: returned.filter(({ address }) => byAddress.has(address)).map(described),
        lost: [...change.removed].map(({ address }) => address).filter((address) => !returnedAddresses.has(address)),
        newer: staying.filter(({ address }) => !old.byAddress.has(address)).length,
        notes: notesOn(current, old, returned, facts),
        isSame: returned.length === 0,
        /** The state that results, with a serial above that of `current` and above `least`. */
        stateAfter: (least: number): RawState => changedState(current, old, change, least),
    };
}

/** The names of the attributes, and of the other fields, in which two instances differ. */
export function differencesOf(one: Parts, before: Instance, other: Parts, after: Instance): string[] {
    const [{ attributes: old, ...was }, { attributes: now, ...is }] = [one.recordOf(before), other.recordOf(after)];
    const provider = before.provider === after.provider ? [] : ["provider"];
    return [...differing(Object(old), Object(now)), ...differing(was, is), ...provider];
}

/** The current state after a change, with a serial above its own and above `least`. */
function changedState(current: Parts, old: Parts, change: Change, least: number): RawState {
    const { removed, replaced, added } = change;
    const homes = new Map(current.entries.map((entry) => [entry.home, entry]));
    const more = new Map([...added].map(({ home }): [string, Buffer[]] => [home, []]));
    for (const each of added) more.get(each.home)?.push(old.slice(each));
    const present = current.entries.flatMap((entry) => {
        const others = homes.get(entry.home) === entry ? (more.get(entry.home) ?? []) : [];
        if (others.length === 0 && entry.instances.every((each) => isStaying(change, each)))
            return [current.slice(entry)];
        const instances = entry.instances.flatMap((each) => {
            const other = replaced.get(each);
            return removed.has(each) ? [] : [other ? old.slice(other) : current.slice(each)];
        });
        const all = [...instances, ...others];
        return all.length === 0 ? [] : [withInstances(current, entry, all)];
    });
    const absent = old.entries.flatMap((entry) => {
        const instances = homes.has(entry.home) ? [] : entry.instances.filter((each) => added.has(each));
        return instances.length === 0 ? [] : [withInstances(old, entry, instances.map(old.slice))];
    });
    const serial = serialAbove(Math.max(least, current.serial.value), current.version);
    const bytes = withEntries(current, serial, [...present, ...absent]);
    return { bytes, serial, lineage: current.lineage, md5: md5Of(bytes) };
}
