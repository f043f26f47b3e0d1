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

/** The notes on the instances of `old` that come back, each with the addresses that it is about. */
export function notesOn(current: Parts, old: Parts, returned: readonly Instance[], { twins, absent }: Facts): Note[] {
    const notes = new Map<string, { readonly isWarning: boolean; readonly names: string[] }>();
    const add = (name: string, isWarning: boolean, text: string) => {
        const note = notes.get(text) ?? { isWarning, names: [] };
        note.names.push(name);
        notes.set(text, note);
    };
    const schemas = new Map<string, number>();
    for (const { type, schema } of current.managed) schemas.set(type, Math.max(schemas.get(type) ?? 0, schema));
    const providerNote = providerNotes(current, old);
    for (const each of returned) {
        const { address, type, schema } = each;
        if (parsedObject(old.slice(each))?.["status"] === "tainted")
            add(address, false, `tainted in ${old.version}, so the next apply destroys and creates them again`);
        if (schema > (schemas.get(type) ?? schema)) {
            const reason = `the \`schema_version\` is above that of the same type in ${current.version}`;
            add(address, true, `${reason}, so the next plan stops if the workspace has an older provider`);
        }
        const { isWarning = false, text } = providerNote(each) ?? {};
        if (text !== undefined) add(address, isWarning, `the provider becomes ${text}`);
    }
    for (const [one, other] of twins) {
        const pair = `${one.address} of ${old.version} and ${other.address} of ${current.version}`;
        add(pair, false, "two objects, because only their `id` is equal");
    }
    for (const resource of absent) {
        const reason = `because they depend on others that ${current.version} lacks. Name these addresses too`;
        add(resource, true, `the next plan may replace resources that come back, ${reason}`);
    }
    return [...notes].map(([text, { isWarning, names }]) => ({ isWarning, text: `${text}: ${shortList(names)}` }));
}

/** Finds what to note on a provider that comes back in another spelling, or that the current state does not have. */
function providerNotes(current: Parts, old: Parts): (instance: Instance) => Note | undefined {
    const texts = new Map(old.entries.map(({ home, text }) => [home, text.is]));
    const sources = new Map(current.managed.map(({ type, provider }) => [sourceOf(provider), type]));
    return ({ home, type, provider }) => {
        const [source, text = provider] = [sourceOf(provider), texts.get(home)];
        if (sourceOf(text) !== source)
            return {
                isWarning: false,
                text: `${provider} instead of ${text}, because ${current.version} spells it so`,
            };
        if (sources.has(source)) return undefined;
        if (isLegacy(source)) {
            const command = `terraform state replace-provider ${source} ${source.replace("/-/", "/hashicorp/")}`;
            const advice = `run \`${command}\` after the rollback, with the provider's own namespace`;
            return {
                isWarning: true,
                text: `${text}, which Terraform 0.14 and newer refuse as a legacy one (${advice})`,
            };
        }
        const sibling = [...sources].find(([each, kind]) => kind === type || nameOf(each) === nameOf(source));
        if (sibling === undefined) return undefined;
        return {
            isWarning: true,
            text: `${provider}, while ${current.version} has ${sibling[0]}, and \`init\` needs both`,
        };
    };
}
