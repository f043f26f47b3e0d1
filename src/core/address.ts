/** The form that the address of a service must have. */

/** What is wrong with an address, in words that hold nothing of it, or `undefined`. */
export function addressProblem(text: string): string | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const [, port = url?.port] = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(text) ?? [];
    if (port && (Number(port) < 1 || Number(port) > 65_535)) return "must have a port from 1 to 65535";
    if (url?.protocol !== "http:" && url?.protocol !== "https:") return "must be an http or https address";
    if (url.username !== "" || url.password !== "") {
        return "must not hold a user or a password; what stands in front of the service may get them as `Authorization` in `headers`";
    }
    if (url.search !== "" || url.hash !== "") return "must not hold a query or a fragment";
    return undefined;
}
