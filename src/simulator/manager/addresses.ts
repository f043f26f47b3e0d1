/** How the secrets manager reads the blocks of addresses that a token is bound to. */

import { isIPv4, isIPv6 } from "node:net";
import { RefusedValue } from "./values";

/** The blocks as they read back. Throws {@link RefusedValue} for what is none. */
export function readAddressBlocks(blocks: readonly string[]): string[] {
    return blocks.map((block) => {
        const written = version4(block) ?? version6(block) ?? socketName(block);
        if (written !== undefined) return written;
        throw new RefusedValue(
            `error parsing address ${JSON.stringify(block)}: Unable to convert ${JSON.stringify(block)} to an IPv4 or IPv6 address, or a UNIX Socket`,
        );
    });
}

/** Host bits stay; the mask of a single address goes. */
function version4(block: string): string | undefined {
    const withPort = /^([\d.]+):(\d{1,5})$/.exec(block);
    if (withPort !== null) return isIPv4(withPort[1] ?? "") && Number(withPort[2]) < 65_536 ? block : undefined;
    const [address = "", mask, ...more] = block.split("/");
    if (!isIPv4(address) || more.length > 0 || !isMask(mask, 32)) return undefined;
    return mask === undefined || mask === "32" ? address : `${address}/${mask}`;
}

/** In small letters and as short as can be. */
function version6(block: string): string | undefined {
    const withPort = /^\[([0-9a-f:.]+)\]:(\d{1,5})$/i.exec(block);
    if (withPort !== null) {
        const address = shortened(withPort[1] ?? "");
        return address !== undefined && Number(withPort[2]) < 65_536 ? `[${address}]:${withPort[2]}` : undefined;
    }
    const [text = "", mask, ...more] = block.split("/");
    const address = shortened(text);
    if (address === undefined || more.length > 0 || !isMask(mask, 128)) return undefined;
    return mask === undefined || mask === "128" ? address : `${address}/${mask}`;
}

function shortened(address: string): string | undefined {
    if (!isIPv6(address) || address.includes("%")) return undefined;
    return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

function isMask(mask: string | undefined, bits: number): boolean {
    return mask === undefined || (/^(0|[1-9]\d{0,2})$/.test(mask) && Number(mask) <= bits);
}

/** Whatever else has a slash is taken for the name of a socket, a block with too long a mask too, and reads back in quotes. */
function socketName(block: string): string | undefined {
    return block.length > 1 && (block.startsWith(".") || block.includes("/")) ? JSON.stringify(block) : undefined;
}
