/**
 * The addresses of providers in states: `provider["registry.terraform.io/hashicorp/aws"].eu`, `module.db.provider[…]`, and the legacy ones of
 * Terraform 0.12 (`provider.aws`) and 0.13 (`provider["registry.terraform.io/-/aws"]`), which Terraform 0.14 refuses.
 */

import type { Parts } from "./state-parts";

const providerForm = /^(.*\.)?provider(?:\.([^."[\]]+)|\["([^"]+)"\])(\.[^.]+)?$/s;

function partsOfProvider(provider: string) {
    const [
        ,
        prefix = "",
        name,
        source = name === undefined ? provider : `registry.terraform.io/-/${name}`,
        alias = "",
    ] = providerForm.exec(provider) ?? [];
    return { prefix, source, alias };
}

/** The provider without its module and its alias: `registry.terraform.io/hashicorp/aws`. */
export const sourceOf = (provider: string): string => partsOfProvider(provider).source;
export const isLegacy = (source: string): boolean => source.includes("/-/");
/** The last segment of a source, which the resource types of a provider usually begin with. */
export const nameOf = (source: string): string => source.slice(source.lastIndexOf("/") + 1);

/** Spells legacy providers as a state does, if it has one provider of that name. */
export function spellingIn({ entries }: Parts): (provider: string) => string {
    const sources = [...new Set(entries.map(({ provider }) => sourceOf(provider)))];
    return (provider) => {
        const { prefix, source, alias } = partsOfProvider(provider);
        if (!isLegacy(source) || sources.includes(source)) return provider;
        const [sibling, ...others] = sources.filter((each) => nameOf(each) === nameOf(source));
        return sibling === undefined || others.length > 0 ? provider : `${prefix}provider["${sibling}"]${alias}`;
    };
}
