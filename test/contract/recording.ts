/** Recordings: what a real server answered to each request of the contract tests, with ids, times and tokens that do not change from run to run. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../src/simulator/seed";
import { closeAll } from "../http/support";
import { type Passed, startProxy } from "./proxy";
import { prefix, type Target } from "./target";

/** A request and its answer. */
export interface Exchange {
    /** The test that sent the request. */
    readonly test: string;
    readonly method: string;
    /** The path with its query. */
    readonly path: string;
    /** Absent for the token of the settings; `null` for a request without a token. */
    readonly token?: string | null;
    /** The JSON of the body, or any other text. */
    readonly body?: unknown;
    readonly status: number;
    /** The media type of the answer. */
    readonly type?: string | undefined;
    /** Nomad's `X-Nomad-Index`. */
    readonly index?: number | undefined;
    readonly answer?: unknown;
}

/** The recording of one version of a server. */
export interface Recording {
    /** Such as `vault-1.21.0`. */
    readonly name: string;
    /** `server`, or the document whose samples the answers are. */
    readonly source: string;
    /** The variables `STATECRAFT_CONTRACT_…` of the run. */
    readonly environment: Readonly<Record<string, string>>;
    readonly lacks: Target["lacks"];
    /** Objects that the simulator needs to give the same answers, and that no variable names. */
    readonly seed?: Seed;
    readonly exchanges: readonly Exchange[];
}

/** The address of the server in recordings, and the prefix of the names of objects. */
export const stable = { address: "http://server", prefix: "contract-recorded" };

const folder = join(__dirname, "..", "fixtures", "recorded");
const fileOf = (name: string) => join(folder, name, "exchanges.json");

export const recordings = (): readonly Recording[] =>
    readdirSync(folder)
        .sort()
        .map((name) => JSON.parse(readFileSync(fileOf(name), "utf8")));

/** The titles of a test below the one of the contract, which differs from run to run. */
export function titleIn(test: Mocha.Runnable | undefined): string {
    const titles = test?.titlePath() ?? [];
    const below = titles.slice(titles.findIndex((title) => / contract \(/.test(title)) + 1);
    return below.join(" › ").replace(/ \[left out: .*\]$/, "");
}

/** Starts a proxy in front of the server before the tests of a `describe` block, and writes the recording after them. Returns its address. */
export function withRecorder(name: string, address: string, token: string | undefined, target: Target): () => string {
    let [test, proxy]: [string, string | undefined] = ["", undefined];
    const passed: (Passed & { readonly test: string })[] = [];
    before(async () => {
        const record = (one: Passed) => passed.push({ test, ...one });
        proxy = await startProxy(address, { isOtf: name.startsWith("otf-"), record });
    });
    beforeEach(function () {
        test = titleIn(this.currentTest);
    });
    after(async () => {
        await closeAll();
        const {
            LACKS: _,
            RECORD: __,
            ...kept
        } = Object.fromEntries(
            Object.entries(target.environment).flatMap(([key, value = ""]) => {
                const [, short = ""] = /^STATECRAFT_CONTRACT_(.*)/.exec(key) ?? [];
                return short === "" || /ADDRESS|TOKEN|SEED/.test(short) ? [] : [[short, value]];
            }),
        );
        const exchanges = passed.map((one) => exchangeOf(one, token));
        const recording = { name, source: "server", environment: kept, lacks: target.lacks, exchanges };
        const text = JSON.stringify(recording)
            .replaceAll(proxy ?? "", stable.address)
            .replaceAll(prefix, stable.prefix);
        write(JSON.parse(stabilized(text)));
    });
    return () => proxy ?? address;
}

/** JSON that has only one spelling becomes its value, and any other text stays. */
function contentOf(text: string): unknown {
    try {
        const value: unknown = JSON.parse(text);
        return JSON.stringify(value) === text.trimEnd() || text.length === 0 ? value : text;
    } catch {
        return text;
    }
}

function exchangeOf(
    { test, method, path, token, body, status, headers, answer }: Passed & { test: string },
    own?: string,
): Exchange {
    const index = headers.get("x-nomad-index");
    const type = headers.get("content-type")?.split(";")[0];
    return {
        ...{ test, method, path },
        ...(token !== own && { token: token ?? null }),
        ...(body !== "" && { body: contentOf(body) }),
        status,
        ...(type && { type }),
        ...(index !== null && { index: Number(index) }),
        ...(answer !== "" && { answer: /json/.test(type ?? "") ? JSON.parse(answer) : answer }),
    };
}

const secrets = /"(client_token|accessor|SecretID|AccessorID|secret_id|role_id)":"([^"]+)"/g;

/** A JWT with the same claims, but for its times and its signature. */
function stableJwt(jwt: string): string {
    const [head, claims = ""] = jwt.split(".");
    const { exp, iat: _, nbf: __, ...others } = JSON.parse(Buffer.from(claims, "base64url").toString());
    const times = { iat: 1_600_000_000, exp: exp * 1000 < Date.now() ? 1_700_000_000 : 4_102_444_800 };
    return `${head}.${Buffer.from(JSON.stringify({ ...others, ...times })).toString("base64url")}.signature`;
}

const uuid = /(?!00000000-0000-4000-8000-)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const ids = /\b(sv|ws|run|user|org|team|wsout|ut)-[1-9A-HJ-NP-Za-km-z]{16}\b/g;

/** Replaces what differs from run to run: secrets, ids and signatures by their order, and times and indexes by their rank. */
function stabilized(recording: string): string {
    let text = recording
        .replace(/("request_id":")[^"]+/g, "$100000000-0000-4000-8000-000000000000")
        .replace(/https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, stable.address)
        .replace(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g, stableJwt);
    const known = new Map<string, string>();
    const numbered = (kind: string, found: string) => {
        if (!known.has(found)) known.set(found, `${kind}-${known.size + 1}`);
        return known.get(found) ?? found;
    };
    for (const [, key = "", secret = ""] of text.matchAll(secrets)) {
        if (secret.length > 15) text = text.replaceAll(secret, numbered(key, secret));
    }
    const digits = (found: string) => numbered("id", found).replace(/\D/g, "");
    text = text
        .replace(/\/signed\/[^/"]+/g, (found) => `/signed/${numbered("signature", found)}`)
        .replace(uuid, (found) => `00000000-0000-4000-8000-${digits(found).padStart(12, "1")}`)
        .replace(ids, (found, kind) => `${kind}-${digits(found).padStart(16, "1")}`)
        .replace(/\b1[6-9]\d{17}\b/g, "4102444800000000000");
    const time = /\b20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
    const times = ranks(text.match(time) ?? [], (one, other) => Date.parse(one) - Date.parse(other));
    const position = /("(?:index|Index|\w+Index)":)(\d+)/g;
    const indexes = ranks(
        [...text.matchAll(position)].map(([, , number]) => Number(number)),
        (one, other) => one - other,
    );
    return text
        .replace(time, (found) => new Date(Date.UTC(2100, 0) + (times.get(found) ?? 0) * 1000).toISOString())
        .replace(position, (_, key, number) => `${key}${indexes.get(Number(number))}`);
}

function ranks<Value>(
    values: readonly Value[],
    compare: (one: Value, other: Value) => number,
): ReadonlyMap<Value, number> {
    return new Map([...new Set(values)].sort(compare).map((value, rank) => [value, rank]));
}

/** Writes a recording with one exchange in each line. */
function write({ exchanges, ...recording }: Recording): void {
    const file = fileOf(recording.name);
    if (!existsSync(join(file, ".."))) mkdirSync(join(file, ".."), { recursive: true });
    const head = JSON.stringify(recording, null, 1).slice(0, -2);
    writeFileSync(file, `${head},\n "exchanges": [\n${exchanges.map((one) => JSON.stringify(one)).join(",\n")}\n]}\n`);
}
