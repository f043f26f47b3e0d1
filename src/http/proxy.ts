/** Which proxy the environment names for an address: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in capitals or not. */

import { BlockList, isIP } from "node:net";
import { ConfigError } from "../errors";
import { isLoopback } from "./loopback";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for `url`, or `undefined` for a direct connection. What no proxy is asked for, a wrong setting of one does not stop. */
export function proxyFor(url: URL, environment: Environment = process.env): URL | undefined {
    const [, exempt = ""] = variable("no_proxy", environment);
    if (isExempt(url, exempt)) return undefined;
    const own = variable(`${url.protocol.slice(0, -1)}_proxy`, environment);
    const [name, text] = own[1] ? own : variable("all_proxy", environment);
    if (!text) return undefined;
    const whole = text.includes("://") ? text : `http://${text}`;
    const proxy = URL.canParse(whole) ? new URL(whole) : undefined;
    // A proxy on another machine would look for a loopback address on its own side, which is never what is meant.
    if (proxy && isLoopback(url.hostname) && !isLoopback(proxy.hostname)) return undefined;
    if (proxy?.protocol === "http:" || proxy?.protocol === "https:") return proxy;
    // It may hold a password: it is never part of a message.
    throw new ConfigError(name, `the environment variable ${name} is not the address of an HTTP proxy`);
}

/** A variable's name as it is spelt here, and its value. */
function variable(name: string, environment: Environment): [name: string, value: string | undefined] {
    const spelt = environment[name] ? name : name.toUpperCase();
    return [spelt, environment[spelt]];
}

/** `NO_PROXY` as most tools read it: names with their subdomains, `.suffix`, `*.suffix`, addresses, networks, each with an optional port; `*` is all. */
function isExempt(url: URL, list: string): boolean {
    const host = bare(url.hostname.replace(/\.$/, ""));
    const port = url.port || (url.protocol === "https:" ? "443" : "80");
    return list
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((entry) => entry !== "")
        .some((entry) => matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
    if (entry === "*") return true;
    if (entry.includes("/")) return isInNetwork(host, entry);
    const [, name = entry, only] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    if (only !== undefined && only !== port) return false;
    const wanted = bare(name);
    if (isIP(host) !== 0) return host === wanted;
    const suffix = wanted.replace(/^\*?\./, "");
    return host.endsWith(`.${suffix}`) || host === wanted;
}

function isInNetwork(host: string, entry: string): boolean {
    const version = isIP(host);
    const [network = "", bits = ""] = entry.split("/");
    if (version === 0 || isIP(bare(network)) !== version || !/^\d+$/.test(bits)) return false;
    if (Number(bits) > (version === 4 ? 32 : 128)) return false;
    const family = version === 4 ? "ipv4" : "ipv6";
    const list = new BlockList();
    list.addSubnet(bare(network), Number(bits), family);
    return list.check(host, family);
}

function bare(host: string): string {
    return host.replace(/^\[(.*)\]$/, "$1");
}
