/** The services' spellings of true and false; nothing for any other text. */
export function readBoolean(text: string): boolean | undefined {
    if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
    return /^(0|f|F|false|FALSE|False)$/.test(text) ? false : undefined;
}
