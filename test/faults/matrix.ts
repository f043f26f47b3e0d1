/**
 * The fault matrix: every resource, every verb, every fault, at the first, the middle and the last request of the verb, once or until it is
 * lifted, and each of the commands that the user may run next. A cell is data; what must be true of it are the few rules in `judge`.
 *
 * The measure is the same story without the fault: when all is over the server's world and the resource's state must be equal to it.
 */

import assert from "node:assert/strict";
import type { Vocabulary } from "../../src/core/session";
import type { Clock } from "../../src/http/delivery";
import { definitions } from "../../src/services/definitions";
import { fixture } from "../http/support";
import { type Life, unsealed } from "../support/life";
import { plantedToken, World } from "../support/world";
import { type Fault, faults } from "./faults";
import { FaultProxy } from "./proxy";
import { nameOf, planted, type Subject, seed, subjects } from "./subjects";

type Props = Record<string, unknown>;

/** What the engine does with a resource under the fault. */
export interface Verb {
    readonly name: string;
    /** What is done before the fault. */
    prepare?(life: Life, subject: Subject): Promise<unknown>;
    act(life: Life, subject: Subject): Promise<unknown>;
    /** What the program says afterwards; `undefined`: nothing of this resource. */
    program(subject: Subject): Props | undefined;
    /** What an object says that state does not know of. Default: the inputs. */
    found?(subject: Subject): Props | undefined;
    /** Whatever happens, nothing is written: what is there already stays as it is. */
    readonly onlyLooks?: true;
    /** Afterwards state holds nothing that could be destroyed. */
    readonly leavesNothing?: true;
}

const make = (life: Life, { inputs }: Subject) => life.up(inputs);
const asNew = ({ inputs }: Subject) => inputs;
const asEdited = ({ edited }: Subject) => edited;

/** All verbs, each preview, and the creation of what somebody else has made before; a verb that sends nothing has no cells. */
export const verbs: readonly Verb[] = [
    {
        name: "preview",
        act: (life, { inputs }) => life.preview(inputs),
        program: asNew,
        onlyLooks: true,
        leavesNothing: true,
    },
    {
        name: "preview of a change",
        prepare: make,
        act: (life, { edited }) => life.preview(edited),
        program: asEdited,
        onlyLooks: true,
    },
    { name: "create", act: make, program: asNew },
    {
        name: "create over another's object",
        async prepare(life, { theirs }) {
            if (theirs) await life.up(theirs);
            life.state = undefined;
        },
        async act(life, subject) {
            if (subject.theirs === undefined) return;
            const refusal = await make(life, subject).catch((error: Error) => error);
            if (refusal instanceof Error && !isTakeOver(refusal, subject)) throw refusal;
        },
        program: asNew,
        found: ({ theirs }) => theirs,
        onlyLooks: true,
        leavesNothing: true,
    },
    { name: "read", prepare: make, act: (life) => life.refresh(), program: asNew, onlyLooks: true },
    { name: "update", prepare: make, act: (life, { edited }) => life.up(edited), program: asEdited },
    { name: "delete", prepare: make, act: (life) => life.destroy(), program: () => undefined, leavesNothing: true },
];

/** What the user runs when the fault is over. */
const commands = ["up", "refresh", "destroy"] as const;
type Command = (typeof commands)[number];

const places = ["first", "middle", "last"] as const;
type Place = (typeof places)[number];

/** One story of a resource. */
export interface Story {
    readonly subject: Subject;
    readonly verb: Verb;
    readonly next: Command;
}

/** One story, and what goes wrong in it. */
export interface Cell extends Story {
    readonly fault: Fault;
    readonly place: Place;
    readonly once: boolean;
}

/**
 * How a cell may end well: the verb succeeded all the same; it failed and the next command did the rest; the next command refused an object that
 * the failed one, or somebody else, may have made, and took it over when told to; the service itself said what was not so, and nothing
 * contradicted it.
 */
export const endings = ["unnoticed", "finished by the next command", "taken over when told to", "believed"] as const;
export type Ending = (typeof endings)[number];

/** What a cell came to. */
export interface Verdict {
    readonly cell: Cell;
    readonly ending: Ending | undefined;
    /** Which promise was not kept. */
    readonly problem: string | undefined;
}

/** Everything that can be compared of one moment: the server's world and the resource's state. */
type Moment = string;

/** A story without a fault. */
interface Measure {
    /** Requests of the verb. */
    readonly requests: number;
    readonly done: Moment;
    readonly end: Moment;
    /** The end where the verb has had no effect at all. */
    readonly undone: Moment;
}

/** What the control door tells of the server's world, as far as it matters here. */
interface ServerState {
    readonly manager: unknown;
    readonly volumes: unknown;
    readonly stateVersions: {
        readonly workspaces: { readonly lock: unknown }[];
        versions: { readonly status: string }[];
    };
}

/** The real clock, which remembers the milliseconds of every time-out that was set. */
function watchedClock(): Clock & { readonly timeouts: readonly number[] } {
    const timeouts: number[] = [];
    return {
        timeouts,
        now: Date.now,
        sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
        deadline(milliseconds) {
            timeouts.push(milliseconds);
            return AbortSignal.timeout(milliseconds);
        },
        random: Math.random,
    };
}

/** What the settings say under a fault: seconds for one try, and how many more there may be. */
const patienceFor = (fault?: Fault) => ({ maxRetries: 1, timeout: fault?.stalls ? 0.4 : 20 });

/** A server, and proxies in front of it, for one cell at a time. */
class Scene {
    private readonly measures = new Map<string, Promise<Measure>>();

    private constructor(
        readonly world: World,
        private readonly plain: FaultProxy,
        private readonly secure: FaultProxy,
    ) {}

    static async open(vocabulary?: Vocabulary): Promise<Scene> {
        const world = await World.start(seed, vocabulary);
        return new Scene(world, await FaultProxy.start(world.url), await FaultProxy.start(world.url, true));
    }

    async close(): Promise<void> {
        await Promise.all([this.plain.close(), this.secure.close()]);
        await this.world.close();
    }

    proxyFor(fault: Fault | undefined): FaultProxy {
        return fault?.tls ? this.secure : this.plain;
    }

    /** A process that deploys the resource, and tells every try. Under a fault it is not patient. */
    process({ type }: Subject, proxy: FaultProxy, fault?: Fault, clock: Clock = watchedClock()): Life {
        const secure = proxy === this.secure ? { caFile: fixture("ca.pem") } : {};
        const at = (path: string) => ({ address: proxy.url + path, ...secure, ...patienceFor(fault) });
        const settings = {
            "statecraft:manager": at(""),
            "statecraft:volumes": at(""),
            "statecraft:stateVersions": at("/api/v2"),
        };
        return this.world.life(type, { settings, clock, environment: { STATECRAFT_LOG: "requests" } });
    }

    /** The world before the verb, and the resource as far as it is there. */
    async begin({ subject, verb }: Story, proxy: FaultProxy): Promise<Life> {
        await proxy.heal();
        await this.world.reset();
        await this.world.control("PATCH", "/simulator/processing", { mode: "at-once" });
        await subject.prepare?.(this.world);
        const life = this.process(subject, proxy);
        await verb.prepare?.(life, subject);
        return life;
    }

    /** `settled`: without versions that were announced and never filled, which nobody can delete. */
    async moment({ mayLack = [] }: Subject, life: Life, settled = false): Promise<Moment> {
        const { manager, volumes, stateVersions } = await this.state();
        if (settled) stateVersions.versions = stateVersions.versions.filter(({ status }) => status !== "pending");
        const told = Object.entries(life.state?.outputs ?? {}).filter(([name]) => !mayLack.includes(name));
        const state = life.state && { id: life.state.id, outputs: unsealed(Object.fromEntries(told)) };
        return normal({ state, manager, volumes, stateVersions });
    }

    private async state(): Promise<ServerState> {
        return (await this.world.control("GET", "/simulator/state")) as ServerState;
    }

    async isLocked(): Promise<boolean> {
        const { stateVersions } = await this.state();
        return stateVersions.workspaces.some(({ lock }) => lock !== null);
    }

    /** Does what the messages tell to do about a lock that is left. */
    async releaseAsTold(messages: readonly string[]): Promise<void> {
        const ways = messages.flatMap((message) => [
            ...message.matchAll(/POST (\/workspaces\/\S+\/actions\/[a-z-]*unlock)/g),
        ]);
        for (const [, way] of ways) {
            if (!(await this.isLocked())) return;
            const headers = { authorization: `Bearer ${plantedToken}` };
            await this.world.outside("POST", `/api/v2${way}`, undefined, headers).catch(() => undefined);
        }
        assert(!(await this.isLocked()), `a lock is left and nobody says how to release it: ${messages.join("; ")}`);
    }

    /** The story without a fault, told once. */
    measure(story: Story, tls: boolean): Promise<Measure> {
        const key = [story.subject.type, story.verb.name, story.next, tls].join(" ");
        const measure = this.measures.get(key) ?? this.tell(story, tls ? this.secure : this.plain);
        this.measures.set(key, measure);
        return measure;
    }

    /** How many requests the verb takes without a fault. */
    async count(story: Story): Promise<number> {
        const life = await this.begin(story, this.plain);
        const before = this.plain.requests;
        await story.verb.act(life, story.subject);
        return this.plain.requests - before;
    }

    private async tell(story: Story, proxy: FaultProxy): Promise<Measure> {
        const { subject, verb } = story;
        const life = await this.begin(story, proxy);
        const before = proxy.requests;
        await verb.act(life, subject);
        const requests = proxy.requests - before;
        const done = await this.moment(subject, life);
        await recover(story, life);
        const end = await this.moment(subject, life);
        const idle = await this.begin(story, proxy);
        await recover(story, idle);
        return { requests, done, end, undone: await this.moment(subject, idle) };
    }
}

/** What differs from run to run: times, counters, and what the server makes up. */
const passing = /^(createdAt|modifiedAt|due|identityKey|objects|index|.*Index|evaluation|allocation|__provider)$/;

/** A moment that can be compared: names sorted, empty containers left out, and the ids that the server makes up by their order. */
function normal(value: unknown): Moment {
    const ids = new Map<string, string>();
    const tidied = (key: string, inner: unknown): unknown => {
        if (passing.test(key)) return undefined;
        if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
        // A rotated secret is another one each time.
        const fields = "isRotated" in inner ? { ...inner, client_secret: "" } : inner;
        const kept = Object.entries(fields).filter(([name, field]) => !passing.test(name) && !isEmpty(field));
        return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
    };
    return JSON.stringify(value, tidied, 1).replace(/\bsv-[0-9a-f]{16}\b/g, (id) => {
        const known = ids.get(id) ?? `version ${ids.size + 1}`;
        ids.set(id, known);
        return known;
    });
}

/** Containers in which there is nothing, at any depth. */
function isEmpty(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    return !Array.isArray(value) && Object.values(value).every(isEmpty);
}

/** The next commands, until the resource is what the program says and nothing is left to do. Returns whether it had to be taken over. */
async function recover({ subject, verb, next }: Story, life: Life): Promise<boolean> {
    const program = verb.program(subject);
    if (next === "refresh" && life.state !== undefined) await life.refresh();
    if (program === undefined || next === "destroy") {
        if (life.state !== undefined) await life.destroy();
        return false;
    }
    let isTaken = false;
    await life.up(program).catch(async (error: Error) => {
        if (!isTakeOver(error, subject)) throw error;
        isTaken = true;
        await life.up({ ...program, adopt: true }).catch(async (refusal: Error) => {
            // What the service never changes has to be declared as it is before it can be replaced.
            if (!/`adopt: true` needs every field to match/.test(refusal.message)) throw refusal;
            await life.up({ ...(verb.found ?? asNew)(subject), adopt: true });
        });
        await life.up(program);
    });
    assert.equal(await life.up(program), "same", "a second up found something to do");
    assert.deepEqual(await life.refresh(), [], "a refresh found something changed");
    assert.equal(await life.up(program), "same", "an up after the refresh found something to do");
    return isTaken;
}

/** An object that a run may have made without knowing is refused, with the line to type. */
function isTakeOver({ message }: Error, { type }: Subject): boolean {
    const definition = definitions.find((candidate) => candidate.type === type);
    return definition?.inputs["adopt"] !== undefined && /exists already.*set `adopt: true`/.test(message);
}

/** Seconds after which a cell hangs. */
const longestCell = 120;

/** Lives one cell. */
async function live(scene: Scene, cell: Cell): Promise<Ending> {
    const { subject, verb, fault } = cell;
    const measure = await scene.measure(cell, fault.tls === true);
    const proxy = scene.proxyFor(fault);
    const before = await scene.begin(cell, proxy);
    const clock = watchedClock();
    const life = scene.process(subject, proxy, fault, clock);
    life.state = before.state;
    await scene.world.forget();
    await proxy.harm({ harm: fault.harm, from: numberOf(cell.place, measure.requests), once: cell.once });
    const failure = await verb.act(life, subject).then(
        () => undefined,
        (error: Error) => error,
    );
    const { harmed, strayed } = proxy;
    await proxy.heal();

    assert(harmed > 0 || fault.lasting, "the fault met nobody");
    assert.deepEqual(strayed, [], "a token went to another origin");
    const messages = life.messages.map(({ message }) => message);
    const said = [...(failure ? [failure.message] : []), ...messages.filter((message) => tryTold(message) === 0)];
    for (const message of [...said, ...messages]) isDiscreet(message);
    isInTime(messages.map(tryTold), clock.timeouts, fault);
    if (failure !== undefined) isReadable(failure.message, subject);
    assert(!failure || (!fault.harmless && !/^preview/.test(verb.name)), `it failed: ${failure?.message}`);
    if (await scene.isLocked()) {
        const ways = /actions\/unlock|stays locked until then/;
        assert(
            said.some((message) => ways.test(message)),
            `a lock was left behind: ${said.join("; ")}`,
        );
    }

    const isBelieved =
        failure === undefined && fault.believable === true && (await scene.moment(subject, life)) !== measure.done;
    if ((failure === undefined || verb.onlyLooks) && !isBelieved) {
        const when = failure ? "it was only to look, but" : "it says it succeeded, but";
        isSame(await scene.moment(subject, life), measure.done, when);
    }
    // Whom the service itself tells that there is nothing may write.
    if (verb.onlyLooks && !fault.believable) {
        const writes = (await scene.world.writes()).map(({ method, path }) => `${method} ${path}`);
        assert.deepEqual(writes, [], "it was only to look");
    }

    const next = scene.process(subject, proxy);
    next.state = life.state;
    // Where nothing came into state there is nothing to destroy: the next command is another `up`.
    const isNowhere = failure !== undefined && verb.program(subject) !== undefined && life.state === undefined;
    // Whoever was told of a success that was none sees it at the next refresh.
    const isToLook = isBelieved && cell.next === "up";
    const story: Story = isNowhere ? { ...cell, next: "up" } : isToLook ? { ...cell, next: "refresh" } : cell;
    const isTaken = await recover(story, next);
    const isGivenUp = story.next === "destroy" && failure !== undefined;
    if (isGivenUp) await scene.releaseAsTold([...said, ...next.messages.map(({ message }) => message)]);
    // Whoever was told of success by the service itself has nothing left to do, and nobody to ask.
    const isUnseen = subject.isDeed || (subject.hidesEdit && verb.name === "update");
    const isTrusted = fault.believable && (isUnseen || (isBelieved && next.state === undefined));
    const now = await scene.moment(subject, next, isGivenUp);
    const { end, undone } = await scene.measure(story, fault.tls === true);
    if (!isTrusted && !(isGivenUp && now === undone)) isSame(now, end, "in the end");
    if (isBelieved) return "believed";
    if (isTaken) return "taken over when told to";
    return failure === undefined ? "unnoticed" : "finished by the next command";
}

function numberOf(place: Place, requests: number): number {
    return { first: 1, middle: Math.ceil((requests + 1) / 2), last: requests }[place];
}

function isSame(now: Moment, wanted: Moment, when: string): void {
    if (now === wanted) return;
    assert.fail(`${when} the world is not as without the fault: it ${differences(wanted, now)}`);
}

/** The lines that one text has more often than the other, in words. */
function differences(wanted: string, now: string): string {
    const count = new Map<string, number>();
    for (const line of now.split("\n")) count.set(line, (count.get(line) ?? 0) + 1);
    for (const line of wanted.split("\n")) count.set(line, (count.get(line) ?? 0) - 1);
    const lines = (sign: number) => [...count].filter(([, times]) => times * sign > 0).map(([line]) => line.trim());
    return `has ${lines(1).join(" ") || "nothing"} and lacks ${lines(-1).join(" ") || "nothing"}`;
}

/** The number of the try that a message tells of; 0 where it tells of none. */
function tryTold(message: string): number {
    return Number(/ ms, try (\d+)$/.exec(message)?.[1] ?? 0);
}

/** Every request was given the time of the settings, and was not sent again more often than they say. */
function isInTime(told: readonly number[], timeouts: readonly number[], fault: Fault): void {
    const { maxRetries, timeout } = patienceFor(fault);
    const tries = told.filter((number) => number > 0);
    assert(tries.length > 0, "no try was told");
    assert(tries.length <= timeouts.length, "a request was sent without a time-out");
    assert.deepEqual(
        [...new Set(timeouts)],
        [timeout * 1000],
        "a request was given another time than the settings say",
    );
    assert(Math.max(...tries) <= maxRetries + 1, `a request was sent ${Math.max(...tries)} times`);
}

/** Nothing that must not be shown. */
function isDiscreet(message: string): void {
    for (const secret of [plantedToken, ...Object.values(planted)]) {
        assert(!message.includes(secret), `a secret is shown: ${message}`);
    }
}

/** One paragraph that names the resource and the operation, in words for people. */
function isReadable(message: string, { type }: Subject): void {
    assert(new RegExp(`^${type}[ :]`).test(message), `it does not begin with the resource: ${message}`);
    assert.match(
        message,
        /\b(GET|PUT|POST|PATCH|DELETE) (\/|https?:)|was written|granted|exists already|does not exist/,
        "it does not name the operation",
    );
    assert(!/[\r\n]/.test(message), `it is more than one paragraph: ${message}`);
    assert(/[.?]$/.test(message) && message.length < 1500, `it is no paragraph: ${message}`);
    assert(
        !/\bat .*:\d+:\d+|undefined|\[object|mistake in statecraft/.test(message),
        `it is not for people: ${message}`,
    );
}

/** All cells, of all resources and faults; the first, middle and last of one request are one. */
export async function plan(): Promise<Cell[]> {
    const cells: Cell[] = [];
    for (const subject of subjects) cells.push(...(await cellsOf(subject)));
    return cells;
}

async function cellsOf(subject: Subject): Promise<Cell[]> {
    const scene = await Scene.open(subject.vocabulary);
    try {
        const cells: Cell[] = [];
        for (const verb of verbs) {
            const requests = await scene.count({ subject, verb, next: "up" });
            const follows = commands.filter((next) => next !== "destroy" || !verb.leavesNothing);
            const met = places.filter((place, index) => {
                const number = numberOf(place, requests);
                return requests > 0 && places.findIndex((other) => numberOf(other, requests) === number) === index;
            });
            const spans = (fault: Fault) => (fault.lasting ? [false] : [true, false]);
            for (const [number, fault] of faults.entries()) {
                const ways = met.flatMap((place) => spans(fault).map((once) => ({ place, once })));
                for (const [way, { place, once }] of ways.entries()) {
                    // Each way in which a fault can meet a verb is followed by one command, and they take turns.
                    const next = follows[(number + way) % follows.length] ?? "up";
                    cells.push({ subject, verb, fault, place, once, next });
                }
            }
        }
        return cells;
    } finally {
        await scene.close();
    }
}

/** Lives cells, as many at once as there are lanes, and tells how each ended. */
export async function run(
    cells: readonly Cell[],
    lanes: number,
    told: (verdict: Verdict) => void = () => {},
): Promise<Verdict[]> {
    const verdicts: Verdict[] = [];
    const left = [...cells];
    const lane = async () => {
        const scenes = new Map<Vocabulary | undefined, Scene>();
        for (let cell = left.shift(); cell !== undefined; cell = left.shift()) {
            const { vocabulary } = cell.subject;
            const scene = scenes.get(vocabulary) ?? (await Scene.open(vocabulary));
            scenes.set(vocabulary, scene);
            const verdict = await judge(scene, cell);
            verdicts.push(verdict);
            told(verdict);
            if (verdict.problem === hung) scenes.delete(vocabulary);
        }
        await Promise.all([...scenes.values()].map((scene) => scene.close()));
    };
    await Promise.all(Array.from({ length: Math.min(lanes, cells.length) }, lane));
    return verdicts;
}

const hung = `no end after ${longestCell} s`;

async function judge(scene: Scene, cell: Cell): Promise<Verdict> {
    let alarm: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
        alarm = setTimeout(() => reject(new Error(hung)), longestCell * 1000);
    });
    try {
        return { cell, ending: await Promise.race([live(scene, cell), late]), problem: undefined };
    } catch (error) {
        return { cell, ending: undefined, problem: error instanceof Error ? error.message : String(error) };
    } finally {
        clearTimeout(alarm);
    }
}

/** A cell in words. */
export function titleOf({ subject, verb, fault, place, once, next }: Cell): string {
    const span = once ? "" : " and all later ones";
    return `${nameOf(subject)}, ${verb.name}: ${fault.name} at the ${place} request${span}, then ${next}`;
}
