/** Which hosts are this very machine. */

/** Whether a URL's host name is loopback: `localhost`, 127.0.0.0/8 or `[::1]`. Every spelling of an IPv4 address is dotted in a parsed URL. */
export function isLoopback(hostname: string): boolean {
    return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/.test(hostname);
}
