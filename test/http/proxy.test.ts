import assert from "node:assert/strict";
import { ConfigError } from "../../src/errors";
import { createConnections, proxyFor } from "../../src/http/connections";
import { wholeText, withEnvironment } from "./support";

describe("proxyFor", () => {
    const proxied = (address: string, environment: Record<string, string>) =>
        proxyFor(new URL(address), environment)?.href;

    it("goes by the scheme of the address, in capitals or not", () => {
        const environment = { HTTP_PROXY: "http://plain:1", https_proxy: "http://secure:2" };
        assert.equal(proxied("http://host.example/", environment), "http://plain:1/");
        assert.equal(proxied("https://host.example/", environment), "http://secure:2/");
        assert.equal(proxied("https://host.example/", { HTTP_PROXY: "http://plain:1" }), undefined);
        assert.equal(proxied("https://host.example/", { ALL_PROXY: "any:3" }), "http://any:3/");
        assert.equal(proxied("https://host.example/", { HTTPS_PROXY: "" }), undefined);
        assert.equal(
            proxied("https://host.example/", { https_proxy: " ", HTTPS_PROXY: " secure:2\n" }),
            "http://secure:2/",
        );
    });

    const exempt: [list: string, address: string, direct: boolean][] = [
        ["*", "http://host.example/", true],
        ["host.example", "http://host.example/", true],
        ["HOST.example", "http://host.EXAMPLE/", true],
        ["example", "http://host.example/", true],
        ["ost.example", "http://host.example/", false],
        [".host.example", "http://host.example/", false],
        [".example", "http://host.example/", true],
        ["*.example", "http://host.example/", true],
        ["host.example:80", "http://host.example/", true],
        ["host.example:81", "http://host.example/", false],
        ["a.test, b.test host.example", "http://host.example/", true],
        ["10.0.0.0/8", "http://10.1.2.3/", true],
        ["10.0.0.0/8", "http://11.1.2.3/", false],
        ["10.0.0.0/99", "http://10.1.2.3/", false],
        ["10.0.0.0/eight", "http://10.1.2.3/", false],
        ["10.0.0.0/8", "http://host.example/", false],
        ["10.0.0.0/8", "http://[fd00::1]/", false],
        ["10.1.2.3", "http://10.1.2.3/", true],
        ["1.2.3", "http://10.1.2.3/", false],
        ["fd00::/8", "http://[fd00::1]/", true],
        ["fd00::/64", "http://[fd00::1]/", true],
        ["[fd00::1]:80", "http://[fd00::1]/", true],
        ["fd00::1", "http://[fd00::1]/", true],
    ];
    for (const [list, address, direct] of exempt) {
        it(`reads NO_PROXY=${list} for ${address}`, () => {
            const found = proxied(address, { HTTP_PROXY: "http://proxy:1", NO_PROXY: list });
            assert.equal(found, direct ? undefined : "http://proxy:1/");
        });
    }

    it("never asks another machine for what is on this one", () => {
        for (const host of ["localhost", "127.0.0.1", "127.9.9.9", "[::1]"]) {
            assert.equal(proxied(`http://${host}:8/`, { HTTP_PROXY: "http://proxy.example:1" }), undefined);
            assert.equal(proxied(`http://${host}:8/`, { HTTP_PROXY: "http://localhost:1" }), "http://localhost:1/");
        }
    });

    it("finds one by its IPv6 address, which connections take without brackets", async () => {
        const tls = { own: { rejectUnauthorized: true }, foreign: { rejectUnauthorized: true } };
        const asked = { url: new URL("http://host.example/"), own: true, fresh: false };
        await withEnvironment({ HTTP_PROXY: "http://[fd00::1]:3128" }, async () => {
            const { proxy } = createConnections(tls, 1)(asked);
            assert.deepEqual(proxy, { protocol: "http:", host: "fd00::1", port: 3128 });
        });
    });

    it("says which variable is wrong, without its value", () => {
        for (const value of ["socks5://me:p4ss@host:1", "http://me:p4ss@:x"]) {
            assert.throws(
                () => proxied("https://host.example/", { HTTPS_PROXY: value }),
                (error) =>
                    error instanceof ConfigError && error.setting === "HTTPS_PROXY" && !/p4ss/.test(wholeText(error)),
            );
        }
        for (const name of ["https_proxy", "ALL_PROXY", "all_proxy"]) {
            assert.throws(
                () => proxied("https://host.example/", { [name]: "socks5://host:1" }),
                ({ message }: Error) => message.startsWith(`the environment variable ${name} is not`),
            );
        }
    });

    it("does not mind a proxy of another kind where none is asked", () => {
        const environment = { ALL_PROXY: "socks5://proxy.example:1", NO_PROXY: "host.example" };
        assert.equal(proxied("https://host.example/", environment), undefined);
        assert.equal(proxied("http://127.0.0.1:8/", environment), undefined);
        assert.equal(proxied("http://127.0.0.1:8/", { ALL_PROXY: "nonsense://", NO_PROXY: "127.0.0.1" }), undefined);
    });
});
