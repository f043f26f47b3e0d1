/** Addresses and blocks, as Vault reads and shows them (go-sockaddr 1.0.7). */

import { isIP, SocketAddress } from "node:net";
import { badRequest } from "../refusal";

/** An address or block in the spelling of Vault's answers. A text with a slash that is neither becomes the path of a socket, in two pairs of quotes. */
export function shownBlock(written: string): string {
    const text = written.trim();
    const [, address = "", digits] = /^([^/%]+)(?:\/(\d+))?$/.exec(text) ?? [];
    const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    const length = Number(digits ?? bits);
    if (bits === 0 || length > bits) {
        if (/^\.|\//.test(text)) return JSON.stringify(JSON.stringify(text));
        throw badRequest(
            `error parsing address "${text}": Unable to convert "${text}" to an IPv4 or IPv6 address, or a UNIX Socket`,
        );
    }
    if (bits === 32) return blockOf(address, length, 32);
    const [, inside] = /^::ffff:(.*\..*)$/.exec(new SocketAddress({ address, family: "ipv6" }).address) ?? [];
    // A length below 96 counts as that of the IPv4 address inside.
    if (inside) return blockOf(inside, length < 96 ? Math.min(length, 32) : length - 96, 32);
    return blockOf(new URL(`http://[${address}]`).host.replace(/[[\]]/g, ""), length, 128);
}

const blockOf = (address: string, length: number, bits: number) => (length === bits ? address : `${address}/${length}`);
