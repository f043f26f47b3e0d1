/** Words of the product inside types: they are written as `ProductName<"…">`, because only the vocabulary holds them. */

import { documentedName, type ProductName, productName } from "../src/vocabulary";

type Documented = Parameters<typeof productName>[0];

const enumerated: readonly Documented[] = [
    "clouda-blob",
    "cloudb-s3",
    "cloudc-gcs",
    "CloudAPublicCloud",
    "CloudAUSGovernmentCloud",
    "CloudAChinaCloud",
    "CloudAGermanCloud",
];

/** The type of a word that is the product's, or `undefined` for any other. */
export function asProductName(word: string): string | undefined {
    const documented = documentedName(enumerated, word);
    const isProduct = documented !== undefined && (productName(documented) satisfies ProductName<Documented>) === word;
    return isProduct ? `ProductName<${JSON.stringify(documented)}>` : undefined;
}
