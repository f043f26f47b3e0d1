/** Roles of the simulated secrets manager: what the document says, and what was measured where it is silent. */
import assert from "node:assert/strict";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { type Answer, at, call, type Parts } from "../requests";

const token = { "x-secrets-token": "any" };
/** What a role reads as that was written without a field. */
const empty = {
    bound_group_ids: null,
    bound_locations: null,
    bound_resource_groups: null,
    bound_scale_sets: null,
    bound_service_principal_ids: null,
    bound_subscription_ids: null,
    token_bound_cidrs: [],
    token_explicit_max_ttl: 0,
    token_max_ttl: 0,
    token_no_default_policy: false,
    token_num_uses: 0,
    token_period: 0,
    token_policies: [],
    token_ttl: 0,
    token_type: "default",
};

describe("simulator: roles", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator({ seed: { mounts: ["clouda", "team/clouda"] } });
    });
    beforeEach(async () => {
        await call("POST", `${simulator.url}/simulator/reset`, { body: { mounts: ["clouda", "team/clouda"] } });
    });
    after(() => simulator.close());

    const send = (method: string, path: string, parts: Parts = {}) =>
        call(method, `${simulator.url}/v1/auth/${path}`, { headers: token, ...parts });
    const write = (body: unknown, name = "web") => send("POST", `clouda/role/${name}`, { body });
    const read = async (name = "web") => at((await send("GET", `clouda/role/${name}`)).json, "data");
    const errors = (answer: Answer) => [answer.status, at(answer.json, "errors")];
    /** How a value of a field reads after it was written, or why it was refused. */
    const readBack = async (field: string, value: unknown) => {
        const answer = await write({ [field]: value });
        return answer.status === 204 ? at(await read(), field) : errors(answer);
    };

    describe("writing, reading, listing, deleting", () => {
        it("accepts a role without any bound value and shows every field", async () => {
            const answer = await write({});
            assert.deepEqual([answer.status, answer.text], [204, ""]);
            assert.equal(answer.headers["content-type"], "application/json");
            assert.deepEqual(await read(), empty);
        });

        it("wraps what it reads in the envelope", async () => {
            await write({});
            const answer = await send("GET", "clouda/role/web");
            assert.equal(answer.headers["content-type"], "application/json");
            assert.equal(answer.headers["cache-control"], "no-store");
            assert.ok(answer.text.endsWith("}\n"));
            const id = at(answer.json, "request_id");
            assert.match(String(id), /^[0-9a-f-]{36}$/);
            assert.deepEqual(answer.json, {
                request_id: id,
                lease_id: "",
                renewable: false,
                lease_duration: 0,
                data: empty,
                wrap_info: null,
                warnings: null,
                auth: null,
                mount_type: "clouda",
            });
        });

        it("takes the document's sample of fields, and drops what it does not know", async () => {
            const answer = await send("PUT", "clouda/role/dev-role", {
                body: {
                    token_policies: ["default", "dev", "prod"],
                    max_ttl: 1_800_000,
                    max_jwt_exp: 43_200,
                    bound_resource_groups: ["vm-group"],
                    nonsense: 1,
                },
            });
            assert.equal(answer.status, 204);
            assert.deepEqual(await read("dev-role"), {
                ...empty,
                bound_resource_groups: ["vm-group"],
                max_ttl: 1_800_000,
                token_max_ttl: 1_800_000,
                token_policies: ["default", "dev", "prod"],
            });
        });

        it("answers 404 without errors for what is not there, and deletes it all the same", async () => {
            assert.deepEqual(errors(await send("GET", "clouda/role/web")), [404, []]);
            assert.deepEqual(errors(await send("LIST", "clouda/role")), [404, []]);
            assert.equal((await send("DELETE", "clouda/role/web")).status, 204);
        });

        it("deletes", async () => {
            await write({});
            assert.equal((await send("DELETE", "clouda/role/WEB")).status, 204);
            assert.equal((await send("GET", "clouda/role/web")).status, 404);
        });

        it("lists sorted names by the method LIST and by its synonym", async () => {
            for (const name of ["b", "A", "c-1"]) await write({}, name);
            for (const [method, path] of [
                ["LIST", "clouda/role"],
                ["LIST", "clouda/role/"],
                ["GET", "clouda/role?list=true"],
                ["GET", "clouda/role/?list=1"],
            ] as const) {
                assert.deepEqual(at((await send(method, path)).json, "data"), { keys: ["a", "b", "c-1"] }, path);
            }
        });

        it("warns of query parameters that it ignores", async () => {
            await write({});
            const warnings = ["Endpoint ignored these unrecognized parameters: [after limit]"];
            const listed = await send("GET", "clouda/role?list=true&limit=1&after=a");
            assert.deepEqual(at(listed.json, "warnings"), warnings);
            assert.deepEqual(at(listed.json, "data", "keys"), ["web"]);
        });

        it("refuses other methods", async () => {
            const refused = [405, ["1 error occurred:\n\t* unsupported operation\n\n"]];
            assert.deepEqual(errors(await send("GET", "clouda/role")), refused);
            assert.deepEqual(errors(await send("POST", "clouda/role", { body: {} })), refused);
            assert.deepEqual(errors(await send("PATCH", "clouda/role/web", { body: {} })), refused);
            assert.deepEqual(errors(await send("LIST", "clouda/role/web")), refused);
        });
    });

    describe("names, mounts, namespaces", () => {
        it("takes names in any case for one, stored in lower case", async () => {
            await write({ token_ttl: 60 }, "Upper");
            await write({ token_num_uses: 2 }, "UPPER");
            assert.equal(at(await read("upper"), "token_ttl"), 60);
            assert.equal(at(await read("uPPer"), "token_num_uses"), 2);
            assert.deepEqual(at((await send("LIST", "clouda/role")).json, "data", "keys"), ["upper"]);
        });

        it("takes letters, digits, underscores, and inside dots and dashes", async () => {
            for (const name of ["a", "_", "a.b-c_9", "x".repeat(200), "__proto__", "constructor"]) {
                assert.equal((await send("GET", `clouda/role/${name}`)).status, 404);
                assert.equal((await write({ token_ttl: 7 }, name)).status, 204, name);
                assert.equal(at(await read(name), "token_ttl"), 7);
            }
        });

        it("knows no path for any other name, whatever the method", async () => {
            const unsupported = [404, ["1 error occurred:\n\t* unsupported path\n\n"]];
            for (const name of ["-a", "a-", ".a", "a%20b", "a:b", "a@b", "a/b", "a%2Fb", "%C3%A4"]) {
                for (const method of ["GET", "POST", "DELETE"]) {
                    assert.deepEqual(
                        errors(await send(method, `clouda/role/${name}`)),
                        unsupported,
                        `${method} ${name}`,
                    );
                }
            }
            assert.deepEqual(errors(await send("GET", "clouda/role/web/")), unsupported);
        });

        it("has its own words for slashes at the end and for two dots", async () => {
            assert.deepEqual(errors(await send("POST", "clouda/role/web/")), [
                400,
                ["cannot write to a path ending in '/'"],
            ]);
            assert.deepEqual(errors(await send("POST", "clouda/role/a..b")), [400, ["relative paths not supported"]]);
        });

        it("knows no mount but its own, deletes included", async () => {
            for (const method of ["GET", "POST", "DELETE"]) {
                assert.deepEqual(errors(await send(method, "nomount/role/x")), [
                    404,
                    ['no handler for route "auth/nomount/role/x". route entry not found.'],
                ]);
            }
            assert.equal((await send("LIST", "nomount/role")).status, 404);
        });

        it("keeps the roles of each mount apart", async () => {
            await write({});
            assert.equal((await send("GET", "team/clouda/role/web")).status, 404);
            assert.equal((await send("POST", "team/clouda/role/web", { body: { token_ttl: 5 } })).status, 204);
            const answer = await send("GET", "team/clouda/role/web");
            assert.deepEqual([at(answer.json, "data", "token_ttl"), at(answer.json, "mount_type")], [5, "clouda"]);
            assert.equal(at(await read(), "token_ttl"), 0);
        });

        it("keeps the roles of each namespace apart", async () => {
            const inTeam = { headers: { ...token, "x-secrets-namespace": "org/team/" } };
            await send("POST", "clouda/role/web", { ...inTeam, body: { token_ttl: 9 } });
            assert.equal((await send("GET", "clouda/role/web")).status, 404);
            const answer = await send("GET", "clouda/role/web", {
                headers: { ...token, "x-secrets-namespace": "/org/team" },
            });
            assert.equal(at(answer.json, "data", "token_ttl"), 9);
        });
    });

    describe("merging", () => {
        it("keeps what a write leaves out", async () => {
            const fields = {
                bound_locations: ["east"],
                token_bound_cidrs: ["10.0.0.0/8"],
                token_explicit_max_ttl: 50,
                token_max_ttl: 40,
                token_no_default_policy: true,
                token_num_uses: 3,
                token_period: 20,
                token_policies: ["p"],
                token_ttl: 10,
                token_type: "service",
            };
            await write(fields);
            await write({ bound_group_ids: ["g"] });
            assert.deepEqual(await read(), { ...empty, ...fields, bound_group_ids: ["g"] });
        });

        it("takes null as empty, but for durations as left out", async () => {
            await write({ bound_locations: "a", token_policies: "p", token_bound_cidrs: "10.0.0.0/8", token_ttl: 10 });
            await write({ token_num_uses: 3, token_no_default_policy: true, token_type: "service" });
            await write({
                bound_locations: null,
                token_policies: null,
                token_bound_cidrs: null,
                token_ttl: null,
                token_num_uses: null,
                token_no_default_policy: null,
                token_type: null,
            });
            assert.deepEqual(await read(), { ...empty, bound_locations: [], token_ttl: 10 });
        });

        it("goes back to the defaults by the values that mean them", async () => {
            await write({ bound_locations: "a", token_policies: "p", token_ttl: 10, token_num_uses: 3 });
            await write({ bound_locations: [], token_policies: "", token_ttl: "", token_num_uses: 0, token_type: "" });
            assert.deepEqual(await read(), { ...empty, bound_locations: [] });
        });

        it("changes nothing when it refuses", async () => {
            await write({ token_ttl: 10 });
            assert.equal((await write({ token_num_uses: 5, token_ttl: "soon" })).status, 400);
            assert.deepEqual(await read(), { ...empty, token_ttl: 10 });
        });
    });

    describe("values", () => {
        it("lists: keep order and duplicates, split text, trim, and take single values", async () => {
            for (const [sent, expected] of [
                [
                    ["b", "a", "b"],
                    ["b", "a", "b"],
                ],
                ["a, b ,c", ["a", "b", "c"]],
                [
                    ["x,y", " z ", ""],
                    ["x,y", "z", ""],
                ],
                ['["a"]', ['["a"]']],
                [
                    [1, true],
                    ["1", "1"],
                ],
                [0, ["0"]],
                [false, ["0"]],
                ["", []],
            ]) {
                assert.deepEqual(await readBack("bound_scale_sets", sent), expected);
                assert.deepEqual(await readBack("token_policies", sent), expected);
            }
            assert.equal((await write({ bound_scale_sets: { a: 1 } })).status, 400);
        });

        it("durations: become whole seconds", async () => {
            for (const [sent, expected] of [
                [60, 60],
                ["60", 60],
                ["60s", 60],
                ["1h30m", 5400],
                ["1.5h", 5400],
                ["1d", 86_400],
                ["0.5s", 0],
                ["1500ms", 1],
                ["", 0],
                [9_223_372_036, 9_223_372_036],
            ]) {
                assert.equal(await readBack("token_explicit_max_ttl", sent), expected, `${sent}`);
            }
        });

        it("durations: are refused with the reason", async () => {
            const head = 'error converting input for field "token_ttl": ';
            for (const [sent, reason] of [
                ["abc", 'time: invalid duration "abc"'],
                [" 60", 'time: invalid duration " 60"'],
                [60.5, 'time: missing unit in duration "60.5"'],
                ["1w", 'time: unknown unit "w" in duration "1w"'],
                ["1d12h", 'time: unknown unit "d" in duration "1d12h"'],
                ["-1", "cannot provide negative value '-1'"],
                [-1, "cannot provide negative value '-1'"],
            ]) {
                assert.deepEqual(await readBack("token_ttl", sent), [400, [`${head}${reason}`]]);
            }
            for (const sent of ["1e3", true, false, [], {}, 9_223_372_037, "1.5d"]) {
                assert.equal((await write({ token_ttl: sent })).status, 400, `${sent}`);
            }
        });

        it("numbers of uses: are read from text in three bases", async () => {
            for (const [sent, expected] of [
                ["5", 5],
                ["010", 8],
                ["0x10", 16],
                [true, 1],
                ["", 0],
            ]) {
                assert.equal(await readBack("token_num_uses", sent), expected);
            }
            for (const sent of [5.5, "abc", "5.0", []]) {
                assert.equal((await write({ token_num_uses: sent })).status, 400, `${sent}`);
            }
            assert.deepEqual(await readBack("token_num_uses", -1), [400, ["'token_num_uses' cannot be negative"]]);
        });

        it("booleans: are read from text and numbers", async () => {
            for (const sent of ["true", "T", 1, "1"]) {
                assert.equal(await readBack("token_no_default_policy", sent), true);
            }
            for (const sent of ["false", 0, ""]) {
                assert.equal(await readBack("token_no_default_policy", sent), false);
            }
            for (const sent of ["yes", 2, []]) {
                assert.equal((await write({ token_no_default_policy: sent })).status, 400, `${sent}`);
            }
        });

        it("blocks of addresses: lose the mask of a single address and are written short", async () => {
            for (const [sent, expected] of [
                ["1.2.3.4/32,10.0.0.1/8", ["1.2.3.4", "10.0.0.1/8"]],
                [["2001:DB8::1/64"], ["2001:db8::1/64"]],
                [["2001:db8:0:0:0:0:0:1/128"], ["2001:db8::1"]],
                [["10.0.0.1:80"], ["10.0.0.1:80"]],
                [
                    ["0.0.0.0/0", "::/0"],
                    ["0.0.0.0/0", "::/0"],
                ],
                [
                    ["10.0.0.0/99", "/path"],
                    ['"10.0.0.0/99"', '"/path"'],
                ],
                ["", []],
            ]) {
                assert.deepEqual(await readBack("token_bound_cidrs", sent), expected);
            }
            assert.deepEqual(await readBack("token_bound_cidrs", ["junk"]), [
                400,
                ['error parsing address "junk": Unable to convert "junk" to an IPv4 or IPv6 address, or a UNIX Socket'],
            ]);
            for (const sent of [[""], ["010.0.0.1"], 0, false, { a: 1 }]) {
                assert.equal((await write({ token_bound_cidrs: sent })).status, 400, `${sent}`);
            }
        });

        it("token types: are the document's five, empty reads as the default", async () => {
            for (const type of ["service", "batch", "default", "default-service", "default-batch"]) {
                assert.equal(await readBack("token_type", type), type);
            }
            assert.equal(await readBack("token_type", ""), "default");
            for (const type of ["junk", "Service"]) {
                assert.deepEqual(await readBack("token_type", type), [400, [`invalid 'token_type' value "${type}"`]]);
            }
            assert.equal((await write({ token_type: 0 })).status, 400);
        });
    });

    it("accepts together what no document forbids", async () => {
        assert.equal((await write({ token_type: "batch", token_period: 60, token_num_uses: 1 })).status, 204);
        assert.equal((await write({ token_ttl: 61, token_max_ttl: 60 })).status, 204);
    });

    describe("what is too long", () => {
        it("a period above the longest lease", async () => {
            assert.deepEqual(await readBack("token_period", "900h"), [
                400,
                ['token period of "900h0m0s" is greater than the backend\'s maximum lease TTL of "768h0m0s"'],
            ]);
            assert.equal(await readBack("token_period", "768h"), 2_764_800);
        });

        it("warns of a maximum lifetime above the longest lease, names what it dropped, and stores it", async () => {
            const answer = await write({ token_max_ttl: "769h", foo: 1, bar: 2, name: "other" });
            assert.equal(answer.status, 200);
            assert.equal(at(answer.json, "data"), null);
            assert.deepEqual(at(answer.json, "warnings"), [
                "max_ttl is greater than the system or backend mount's maximum TTL value; issued tokens' max TTL value will be truncated",
                "Endpoint ignored these unrecognized parameters: [bar foo]",
                "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]",
            ]);
            assert.equal(at(await read(), "token_max_ttl"), 2_768_400);
            assert.equal((await write({ token_explicit_max_ttl: "769h", token_max_ttl: 0 })).status, 204);
        });
    });

    describe("old spellings", () => {
        it("set both when sent alone; policies are made small, sorted and single", async () => {
            await write({ policies: "dp1,DP2,default,dp1", ttl: "1m", max_ttl: 120, period: 30, num_uses: 2 });
            assert.deepEqual(await read(), {
                ...empty,
                max_ttl: 120,
                num_uses: 2,
                period: 30,
                policies: ["default", "dp1", "dp2"],
                token_max_ttl: 120,
                token_num_uses: 2,
                token_period: 30,
                token_policies: ["default", "dp1", "dp2"],
                token_ttl: 60,
                ttl: 60,
            });
        });

        it("lose against the new ones, and both read those", async () => {
            await write({ ttl: 10, token_ttl: 20, policies: "old", token_policies: ["New", "a"] });
            assert.deepEqual(await read(), {
                ...empty,
                policies: ["New", "a"],
                token_policies: ["New", "a"],
                token_ttl: 20,
                ttl: 20,
            });
        });

        it("are forgotten when the new one is sent alone", async () => {
            await write({ ttl: 10, policies: "a" });
            await write({ token_ttl: 20, token_policies: ["b"] });
            assert.deepEqual(await read(), { ...empty, token_policies: ["b"], token_ttl: 20 });
        });

        it("empty both, and are not shown then", async () => {
            await write({ policies: "a" });
            await write({ policies: [] });
            assert.deepEqual(await read(), empty);
        });
    });

    describe("bodies", () => {
        it("are refused when an object in them holds a key twice", async () => {
            const problem = [500, ["duplicate key 'bound_locations' in object"]];
            const twice = '{"bound_locations":["a"],"token_ttl":1,"bound_locat\\u0069ons":["b"]}';
            assert.deepEqual(errors(await write(twice)), problem);
            assert.deepEqual(errors(await write('{"x":[{"y":1},{"bound_locations":1,"bound_locations":1}]}')), problem);
            const apart =
                '{"bound_locations":["bound_locations","bound_locations"],"x":{"bound_locations":"{\\"a\\":"}}';
            assert.equal((await write(apart)).status, 204);
        });

        it("may be missing, null or empty", async () => {
            for (const body of [undefined, "null", "{}", " "]) {
                assert.equal((await write(body)).status, 204);
            }
        });

        it("are refused when they are no object", async () => {
            for (const [body, problem] of [
                ["bad", "invalid character 'b' looking for beginning of value"],
                ['{"token_ttl":1} more', "invalid character 'm' after top-level value"],
                ['{"token_ttl":1', "unexpected EOF"],
                ['{"token_ttl":"1', "unexpected EOF"],
            ] as const) {
                assert.deepEqual(errors(await write(body)), [500, [problem]], body);
            }
            for (const body of ["[]", '"text"', "1"]) {
                const answer = await write(body);
                assert.equal(answer.status, 400);
                assert.match(answer.text, /error parsing JSON: failed to parse JSON input/);
            }
        });
    });
});

describe("simulator: tokens of the manager", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator({
            tokens: [
                { token: "t-write", kind: "user", id: "user-1" },
                { token: "t-read", kind: "user", id: "user-2", access: "read" },
                { token: "t-none", kind: "user", id: "user-3", access: "none" },
            ],
            seed: { roles: [{ name: "web", fields: {} }] },
        });
    });
    after(() => simulator.close());

    const as = async (method: string, headers: Record<string, string>, path = "auth/clouda/role/web") => {
        const answer = await call(method, `${simulator.url}/v1/${path}`, { headers });
        return answer.status < 400 ? answer.status : [answer.status, at(answer.json, "errors")];
    };
    const lacking = [403, ["1 error occurred:\n\t* permission denied\n\n"]];

    it("are needed", async () => {
        assert.deepEqual(await as("GET", {}), [403, ["permission denied"]]);
        assert.deepEqual(await as("GET", { "x-secrets-token": "" }), [403, ["permission denied"]]);
    });

    it("must be known", async () => {
        const unknown = [403, ["2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n"]];
        assert.deepEqual(await as("GET", { "x-secrets-token": "other" }), unknown);
        assert.deepEqual(await as("GET", { "x-secrets-token": "other" }, "auth/nomount/role/web"), unknown);
    });

    it("travel in their own header or as a bearer's", async () => {
        assert.equal(await as("GET", { "X-Secrets-Token": "t-write" }), 200);
        assert.equal(await as("GET", { Authorization: "Bearer t-write" }), 200);
    });

    it("may be for reading only", async () => {
        const headers = { "x-secrets-token": "t-read" };
        assert.equal(await as("GET", headers), 200);
        assert.equal(await as("LIST", headers, "auth/clouda/role"), 200);
        for (const method of ["POST", "PUT", "DELETE"]) assert.deepEqual(await as(method, headers), lacking);
    });

    it("may be for nothing", async () => {
        const headers = { "x-secrets-token": "t-none" };
        for (const method of ["GET", "POST", "DELETE"]) assert.deepEqual(await as(method, headers), lacking);
        assert.deepEqual(await as("GET", headers, "sys/storage/raft/snapshot-auto/status/x"), lacking);
    });

    it("are any text where none is known", async () => {
        const open = await startSimulator();
        try {
            const path = `${open.url}/v1/auth/clouda/role/web`;
            assert.equal((await call("POST", path, { headers: { "x-secrets-token": "whatever" } })).status, 204);
            assert.equal((await call("GET", path)).status, 403);
        } finally {
            await open.close();
        }
    });
});
