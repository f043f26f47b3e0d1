/** Tests methods, repeat rules and refused parameters of endpoints. `paths.test.ts` tests the escaping of parameters, for all endpoints. */

import assert from "node:assert/strict";
import { endpoint } from "../../src/core/endpoint";

const role = endpoint("GET /v1/auth/{+mount}/role/{name}");

describe("an endpoint", () => {
    it("has the method and the path of its text", () => {
        assert.equal(role.method, "GET");
        assert.equal(role.path({ mount: "clouda", name: "web" }), "/v1/auth/clouda/role/web");
        assert.equal(endpoint("GET /account/details").path({}), "/account/details");
    });

    it("does not escape the slashes of a `{+parameter}`, but all other reserved characters", () => {
        assert.equal(role.path({ mount: "team a/cloud?a", name: "n" }), "/v1/auth/team%20a/cloud%3Fa/role/n");
    });

    for (const value of ["", ".", ".."]) {
        it(`refuses ${JSON.stringify(value)}, which every URL parser removes`, () => {
            const must = { code: "id" };
            assert.throws(() => role.path({ mount: "m", name: value }), must);
            assert.throws(() => role.path({ mount: `a/${value}/b`, name: "n" }), must);
        });
    }

    it("repeats reads, deletions and PUT, and other methods only with `always`", () => {
        const repeats = (["GET", "LIST", "PUT", "DELETE", "POST", "PATCH"] as const).map(
            (method) => endpoint(`${method} /x`).repeat,
        );
        assert.deepEqual(repeats, ["always", "always", "always", "always", "refused", "refused"]);
        assert.equal(endpoint("POST /x", "always").repeat, "always");
        assert.equal(endpoint("PUT /x", "refused").repeat, "refused");
    });
});
