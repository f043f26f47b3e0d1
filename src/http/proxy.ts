/** Which proxy the environment names for an address: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in capitals or not. */

import { BlockList, isIP } from "node:net";
import { ConfigError } from "../errors";
import { isLoopback } from "./loopback";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for `url`, or `undefined` for a direct connection. */
export function proxyFor(url: URL, environment: Environment = process.env): URL | undefined {
    const name = `${url.protocol.slice(0, -1)}_proxy`;
    const text = variable(name, environment) || variable("all_proxy", environment);
    if (text === "") return undefined;
    const proxy = parse(text, name.toUpperCase());
    // A proxy on another machine would look for a loopback address on its own side, which is never what is meant.
    if (isLoopback(url.hostname) && !isLoopback(proxy.hostname)) return undefined;
    return isExempt(url, variable("no_proxy", environment)) ? undefined : proxy;
}

function variable(name: string, environment: Environment): string {
    return environment[name] || environment[name.toUpperCase()] || "";
}

/** A proxy's address may hold a password: it is never part of a message. */
function parse(text: string, name: string): URL {
    const whole = text.includes("://") ? text : `http://${text}`;
    const proxy = URL.canParse(whole) ? new URL(whole) : undefined;
    if (proxy?.protocol === "http:" || proxy?.protocol === "https:") return proxy;
    throw new ConfigError(name, `the environment variable ${name} is not the address of an HTTP proxy`);
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
