/** CIDR blocks: one spelling for each. */

import ipaddr from "ipaddr.js";

interface Block {
    readonly address: ipaddr.IPv4 | ipaddr.IPv6;
    /** How many leading bits count. */
    readonly length: number;
    /** How many bits an address has. */
    readonly whole: number;
}

function parse(text: string): Block | undefined {
    const slash = text.indexOf("/");
    const address = slash < 0 ? text : text.slice(0, slash);
    if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined;
    if (/(^|\.)0\d/.test(address) || address.includes("%")) return undefined;
    const parsed = ipaddr.parse(address);
    const whole = parsed.kind() === "ipv4" ? 32 : 128;
    if (slash < 0) return { address: parsed, length: whole, whole };
    const length = text.slice(slash + 1);
    return /^\d{1,3}$/.test(length) && Number(length) <= whole
        ? { address: parsed, length: Number(length), whole }
        : undefined;
}

/** Host bits are kept, as servers keep them; a whole-length prefix is dropped. `undefined` for what is no block. */
export function canonicalCidr(text: string): string | undefined {
    const block = parse(text);
    if (block === undefined) return undefined;
    const address = block.address.toString();
    return block.length === block.whole ? address : `${address}/${block.length}`;
}
