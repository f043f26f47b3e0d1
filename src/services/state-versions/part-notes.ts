/** Facts beside the attributes of returned instances that decide the next plan of Terraform. */

import { parsedObject } from "../../schema/values";
import { isLegacy, nameOf, sourceOf } from "./provider-spelling";
import type { Instance, Parts } from "./state-parts";
import { shortList } from "./terraform-address";

export interface Note {
    readonly text: string;
    /** Whether the next plan may fail, or replace something. */
    readonly isWarning: boolean;
}

interface Facts {
    /** Instances with one `id` that are two objects. */
    readonly twins: readonly (readonly [Instance, Instance])[];
    /** Resources on which a returned instance depends, and that the result does not have. */
    readonly absent: readonly string[];
}

/** The notes on the instances of `old` that come back. */
export function notesOn(current: Parts, old: Parts, returned: readonly Instance[], { twins, absent }: Facts): Note[] {
    const isTainted = (each: Instance) => parsedObject(old.slice(each))?.["status"] === "tainted";
    const tainted = addressesOf(returned.filter(isTainted));
    const schemas = new Map<string, number>();
    for (const { type, schema } of current.managed) schemas.set(type, Math.max(schemas.get(type) ?? 0, schema));
    const newer = addressesOf(returned.filter(({ type, schema }) => schema > (schemas.get(type) ?? schema)));
    return [
        ...notesIf(
            tainted,
            false,
            (list) => `tainted in ${old.version}, so the next apply destroys and creates them again: ${list}`,
        ),
        ...notesIf(
            newer,
            true,
            (list) =>
                `the \`schema_version\` is above that of the same type in ${current.version}, so the next plan stops if the workspace has an older provider: ${list}`,
        ),
        ...providerNotes(current, old, returned),
        ...notesIf(
            twins.map(([one, other]) => `${one.address} of ${old.version} and ${other.address} of ${current.version}`),
            false,
            (list) => `two objects, because only their \`id\` is equal: ${list}`,
        ),
        ...notesIf(
            absent,
            true,
            (list) =>
                `${current.version} lacks ${list}, on which resources that come back depend. Name these addresses too, or the next plan may replace the resources`,
        ),
    ];
}

const addressesOf = (instances: readonly Instance[]) => instances.map(({ address }) => address);

const notesIf = (names: readonly string[], isWarning: boolean, text: (list: string) => string): Note[] =>
    names.length === 0 ? [] : [{ isWarning, text: text(shortList(names)) }];

/** The notes on providers that come back in another spelling, or that the current state does not have. */
function providerNotes(current: Parts, old: Parts, returned: readonly Instance[]): Note[] {
    const texts = new Map(old.entries.map(({ home, text }) => [home, text.is]));
    const sources = new Map(current.managed.map(({ type, provider }) => [sourceOf(provider), type]));
    const noteOn = ({ home, type, provider }: Instance): Note | undefined => {
        const [source, text = provider] = [sourceOf(provider), texts.get(home)];
        if (sourceOf(text) !== source)
            return {
                isWarning: false,
                text: `${provider} instead of ${text}, because ${current.version} spells it so`,
            };
        if (sources.has(source)) return undefined;
        if (isLegacy(source)) {
            const command = `terraform state replace-provider ${source} ${source.replace("/-/", "/hashicorp/")}`;
            const advice = `Run \`${command}\` after the rollback, with the provider's own namespace`;
            return {
                isWarning: true,
                text: `${text}, a legacy provider, which Terraform 0.14 and newer refuse. ${advice}`,
            };
        }
        const sibling = [...sources].find(([each, kind]) => kind === type || nameOf(each) === nameOf(source));
        if (sibling === undefined) return undefined;
        return {
            isWarning: true,
            text: `${provider}, while ${current.version} has ${sibling[0]}: \`init\` needs both`,
        };
    };
    const groups = new Map<string, { readonly note: Note; readonly addresses: string[] }>();
    for (const each of returned) {
        const note = noteOn(each);
        if (note === undefined) continue;
        const group = groups.get(note.text) ?? { note, addresses: [] };
        group.addresses.push(each.address);
        groups.set(note.text, group);
    }
    return [...groups.values()].map(({ note, addresses }) => ({
        ...note,
        text: `the provider of ${shortList(addresses)} becomes ${note.text}`,
    }));
}
