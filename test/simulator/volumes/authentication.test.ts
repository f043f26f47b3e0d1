/** The ACL permission of each operation. The document leaves open how a credential is sent; here it is a bearer's token. */
import type { TokenSeed } from "../../../src/simulator/seed";
import { section } from "../exchanges";
import { seed as bare, data, place, register } from "./place";

const token = (name: string, more: Partial<TokenSeed> = {}): TokenSeed => ({
    token: name,
    kind: "user",
    id: name,
    ...more,
});
const allowing = (right: string) => token(`${right}s`, { permissions: [`namespace:csi-${right}-volume`] });
const seed = {
    ...bare,
    volumes: [data],
    tokens: [
        ...[token("t-write"), token("t-read", { access: "read" }), token("t-none", { access: "none" })],
        ...[allowing("list"), allowing("read"), allowing("write"), token("nothing", { permissions: [] })],
    ],
};

/** Who may do this, and that nobody else may: without a word more for those who are known than for strangers. */
function allows(request: string, ...allowed: readonly string[]): string[] {
    const others = seed.tokens.filter(({ token: name }) => !allowed.includes(name)).map(({ token: name }) => name);
    return [
        `${request} | authorization: -> 403 Permission denied | content-type: text/plain; charset=utf-8`,
        ...[...others, "stranger"].map((name) => `${request} | authorization: Bearer ${name} -> 403 Permission denied`),
        ...allowed.flatMap((name) => [
            `${request} | authorization: Bearer ${name} -> 200`,
            `POST /simulator/reset ${JSON.stringify(seed)} -> 204`,
        ]),
    ];
}

section("Volumes, Authentication", { ...place, seed })`
    list volumes: namespace:csi-list-volume
        ${allows("GET volumes?type=csi", "t-write", "t-read", "lists")}
    read volume: namespace:csi-read-volume
        ${allows("GET volume/csi/data", "t-write", "t-read", "reads")}
    register volume: namespace:csi-write-volume
        ${allows(register({ ...data, ID: "more" }), "t-write", "writes")}
    delete volume: namespace:csi-write-volume
        ${allows("DELETE volume/csi/data", "t-write", "writes")}
    detach volume: namespace:csi-write-volume
        ${allows("DELETE volume/csi/data/detach?node=a1b2c3", "t-write", "writes")}
    any token will do where none is known
        POST /simulator/reset ${bare} -> 204
        ${register(data)} | authorization: -> 403
        ${register(data)} | authorization: bearer any -> 200
`;
