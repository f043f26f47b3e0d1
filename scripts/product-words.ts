/** Generated texts and types have the products' names. The types list those of the API documents behind them. */

import { headers, prefixes, words } from "../src/product-names";
import { defaults } from "../src/services/manager/service";

const productNames: Readonly<Record<string, string>> = {
    ...headers,
    ...prefixes,
    ...words,
    ...Object.fromEntries(Object.entries(words).map((names) => names.map((name) => name.toUpperCase()))),
    [`/${defaults.documented.mount}/`]: `/${defaults.product.mount}/`,
    "tool-version": "terraform-version",
};

const everyName = new RegExp(Object.keys(productNames).join("|"), "g");

/** A text with the names of the API documents in the products'. */
export const inProductWords = (text: string): string => text.replace(everyName, (name) => productNames[name] ?? name);

/** The words among these that are not those of the API documents for one of the product. */
export const productWords = (all: readonly string[]) => all.filter((word) => !Object.hasOwn(words, word));

/** The product's words before those of the API documents for the same, as editors show them. */
export const productWordsFirst = (all: readonly string[]) => [...new Set([...productWords(all), ...all])];
