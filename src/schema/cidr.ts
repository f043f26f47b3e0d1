/** CIDR blocks: one spelling for each, and whether some of them leave anybody out. */

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

/** Whether every address there is, of IPv4 or of IPv6, is in one of these blocks. */
export function isEverywhere(texts: readonly string[]): boolean {
    const blocks = texts.map(parse).filter((block) => block !== undefined);
    return [4, 6].some((version) => covers(blocks.flatMap((block) => leadingBits(block, version))));
}

/** The bits that all addresses of a block begin with; nothing where it has none of that version. IPv6 spells IPv4 as well. */
function leadingBits({ address, length }: Block, version: number): string[] {
    const mapped = 96;
    const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && length >= mapped;
    const bytes = isMapped ? address.toIPv4Address().toByteArray() : address.toByteArray();
    if (bytes.length !== (version === 4 ? 4 : 16)) return [];
    const bits = bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
    return [bits.slice(0, isMapped ? length - mapped : length)];
}

/** Whether all that begin with these bits are in one of the blocks. */
function covers(blocks: readonly string[], bits = ""): boolean {
    if (blocks.some((block) => bits.startsWith(block))) return true;
    const inside = blocks.filter((block) => block.startsWith(bits));
    return inside.length > 0 && covers(inside, `${bits}0`) && covers(inside, `${bits}1`);
}
