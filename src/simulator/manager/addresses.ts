/** How the secrets manager reads the blocks of addresses that a token is bound to. */

import { isIPv4, isIPv6 } from "node:net";
import { badRequest } from "../simulator-error";

/** The blocks as they read back. Throws on what is not a block. */
export function readAddressBlocks(blocks: readonly string[]): string[] {
    return blocks.map((block) => {
        const read = withPort(block) ?? withMask(block) ?? socketName(block);
        if (read !== undefined) return read;
        const quoted = JSON.stringify(block);
        const reason = `Unable to convert ${quoted} to an IPv4 or IPv6 address, or a UNIX Socket`;
        throw badRequest(`error parsing address ${quoted}: ${reason}`);
    });
}

function withPort(block: string): string | undefined {
    const [, version6, version4, port] = /^(?:\[([0-9a-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(block) ?? [];
    const address = addressIn(version6 ?? version4 ?? "");
    const fits = address !== undefined && isIPv6(address) === (version6 !== undefined) && Number(port) <= 65_535;
    if (!fits) return undefined;
    return version6 === undefined ? `${address}:${port}` : `[${address}]:${port}`;
}

/** Host bits stay; the mask of a single address goes. */
function withMask(block: string): string | undefined {
    const [, text = "", mask] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(block) ?? [];
    const address = addressIn(text);
    const bits = isIPv6(text) ? 128 : 32;
    if (address === undefined || Number(mask ?? bits) > bits) return undefined;
    return Number(mask ?? bits) === bits ? address : `${address}/${mask}`;
}

/** One of version 6 in lower case and as short as can be. */
function addressIn(text: string): string | undefined {
    if (isIPv4(text)) return text;
    return isIPv6(text) && !text.includes("%") ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : undefined;
}

/** Whatever else has a slash is taken for the name of a socket, a block with too long a mask too, and reads back in quotes. */
function socketName(block: string): string | undefined {
    return block.length > 1 && (block.startsWith(".") || block.includes("/")) ? JSON.stringify(block) : undefined;
}
