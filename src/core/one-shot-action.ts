/**
 * A one-shot action: it acts when it is made, acts again when its inputs change, and leaves nothing behind that could be deleted.
 *
 * | state and inputs                        | what `up` does                                   |
 * | --------------------------------------- | ------------------------------------------------ |
 * | new                                     | acts                                             |
 * | an input changed that is no option      | acts again                                       |
 * | `isDue` says so                         | acts again                                       |
 * | `unfinished` holds steps                | `resume`, or else acts again                     |
 * | only options changed                    | stores them                                      |
 */

import type * as z from "zod";
import { StatecraftError } from "../errors";
import { diffValues } from "../schema/diff";
import type { Defaults, Values } from "../schema/facts";
import { filled, withoutUndefined } from "../schema/values";
import type { RequestContext } from "./request-context";
import {
    type Handlers,
    type Inputs,
    type Outputs,
    PartialCreateError,
    type Resource,
    type ResourceSpec,
    resourceOf,
    type State,
    typedOutputs,
    unfinishedSteps,
} from "./resource";
import { stickyOf } from "./sticky";

/** What a file says of an action. `Address` is what its id is made of. */
export interface OneShotAction<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Address>
    extends ResourceSpec<InputSchema, OutputSchema> {
    address(inputs: Inputs<InputSchema>, settings: Defaults): Address;
    id(address: Address): string;
    /** The address of an id, or `undefined` when it has another form. */
    parse(id: string): Address | undefined;
    /** The inputs that an address is made of. The sticky ones are stored, unless they are what leaving them out means. */
    named(address: Address): Partial<z.input<InputSchema>>;
    /** Acts. `state` is what the last deployment left; none for a new resource. @throws Unfinished for what was done in part */
    act(
        context: RequestContext,
        address: Address,
        inputs: Inputs<InputSchema>,
        state: State<InputSchema, OutputSchema> | undefined,
    ): Promise<Outputs<OutputSchema>>;
    /** Does what `unfinished` says is left of an earlier act, and returns what it learned. Without it, the action acts again. */
    resume?(
        context: RequestContext,
        address: Address,
        inputs: Inputs<InputSchema>,
        state: State<InputSchema, OutputSchema>,
    ): Promise<Partial<Outputs<OutputSchema>>>;
    /**
     * What can be seen of it now: outputs, inputs that the service tells, and steps that are left to do. `undefined`: what it acts on is
     * gone. Without it, state is all that is known.
     */
    read?(
        context: RequestContext,
        address: Address,
        state: State<InputSchema, OutputSchema> | undefined,
    ): Promise<
        | (Partial<z.input<InputSchema> & Outputs<OutputSchema>> & { readonly unfinished?: readonly string[] })
        | undefined
    >;
    /** Whether it must act though no input changed, and which outputs say so. */
    isDue?(state: State<InputSchema, OutputSchema>, inputs: Inputs<InputSchema>): readonly string[];
    /** Only options changed: nothing is sent, but the user may have to know something. */
    optionsChanged?(
        context: RequestContext,
        address: Address,
        inputs: Inputs<InputSchema>,
        state: State<InputSchema, OutputSchema>,
    ): Promise<void>;
    /** What deleting it does. Default: nothing. */
    remove?(context: RequestContext, address: Address, state: State<InputSchema, OutputSchema>): Promise<void>;
    /**
     * What deleting it takes back, by a name of its own on the server: another resource of the program may have made the same. Default:
     * nothing.
     */
    holds?(address: Address, state: State<InputSchema, OutputSchema>): string | undefined;
    /** Done in place of `remove` where another resource of the program has that: gives up what is this one's alone. */
    leave?(context: RequestContext, address: Address, state: State<InputSchema, OutputSchema>): Promise<void>;
}

/** An action was done in part: its outputs are kept, and `steps` are left to do. */
export class Unfinished extends Error {
    constructor(
        readonly outputs: Values,
        readonly steps: readonly string[],
        problem: string,
        override readonly cause: unknown,
    ) {
        super(problem);
        this.name = "Unfinished";
    }
}

/** Makes the resource. */
export function oneShotAction<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Address>(
    spec: OneShotAction<InputSchema, OutputSchema, Address>,
): Resource {
    // From here on everything is plain data, decoded by its schema before a function of the file gets it.
    const action = spec as unknown as OneShotAction<z.ZodObject, z.ZodObject, unknown>;
    return resourceOf(action, (node, vocabulary) => handlersOf(action, node, vocabulary));
}

function handlersOf(
    spec: OneShotAction<z.ZodObject, z.ZodObject, unknown>,
    node: Parameters<typeof filled>[0],
    vocabulary: Parameters<typeof diffValues>[3],
): Handlers {
    const outputsIn = (state: Values): Values =>
        Object.fromEntries(Object.entries(state).filter(([name]) => !node.properties.has(name)));
    const decodedState = (state: Values): Values => ({
        ...typedOutputs(spec.outputs, state),
        ...filled(node, state),
    });

    function addressOf(id: string): unknown {
        const address = spec.parse(id);
        if (address !== undefined) return address;
        throw new StatecraftError("id", `the id ${JSON.stringify(id)} does not have the form ${spec.idForm}`);
    }

    /** Outputs of a run: the inputs as they were written, what settings settled, what was known before, and what was learned. */
    async function whole(
        address: unknown,
        written: Values,
        run: () => Promise<Values>,
        known: Values = {},
    ): Promise<Values> {
        const mine = { ...known, ...written, ...stickyOf(node, spec.named(address)) };
        try {
            return { ...mine, ...withoutUndefined(await run()) };
        } catch (error) {
            if (!(error instanceof Unfinished)) throw error;
            const outputs = { ...mine, ...withoutUndefined(error.outputs) };
            throw new PartialCreateError(spec.id(address), outputs, error.steps, error.message, error.cause);
        }
    }

    const outdated = (olds: Values, news: Values): string[] => [
        ...(spec.isDue?.(decodedState(olds), filled(node, news)) ?? []),
    ];

    return {
        async create(context, inputs) {
            const values = filled(node, inputs);
            const address = spec.address(values, context);
            const outputs = await whole(address, inputs, () => spec.act(context, address, values, undefined));
            return { id: spec.id(address), outputs };
        },

        async read(context, id, state) {
            const address = addressOf(id);
            const isKnown = Object.keys(state).length > 0;
            const mine = { ...state, ...stickyOf(node, spec.named(address)) };
            if (spec.read === undefined) return { id, outputs: mine };
            const found = await spec.read(context, address, isKnown ? decodedState(state) : undefined);
            return found && { id, outputs: { ...mine, ...withoutUndefined(found) } };
        },

        async update(context, id, olds, news) {
            const address = addressOf(id);
            const values = filled(node, news);
            const state = decodedState(olds);
            const isLeft = unfinishedSteps(olds).length > 0;
            const isChanged = diffValues(node, olds, news, vocabulary).some(({ isOption }) => !isOption);
            if (isChanged || outdated(olds, news).length > 0 || (isLeft && spec.resume === undefined)) {
                return whole(address, news, () => spec.act(context, address, values, state));
            }
            const rest = async () => {
                if (isLeft) return (await spec.resume?.(context, address, values, state)) ?? {};
                await spec.optionsChanged?.(context, address, values, state);
                return {};
            };
            return whole(address, news, rest, withoutUndefined({ ...outputsIn(olds), unfinished: undefined }));
        },

        async delete(context, id, state) {
            await spec.remove?.(context, addressOf(id), decodedState(state));
        },

        named: (id) => spec.named(addressOf(id)),

        outdated,

        ...(spec.holds && { holds: (id, state) => spec.holds?.(addressOf(id), decodedState(state)) }),
        ...(spec.leave && {
            leave: async (context, id, state) => spec.leave?.(context, addressOf(id), decodedState(state)),
        }),

        ...(spec.previewChange && {
            async previewChange(context, inputs, olds) {
                const changes = olds ? diffValues(node, olds, inputs, vocabulary) : [];
                await spec.previewChange?.(context, filled(node, inputs), olds && decodedState(olds), changes);
            },
        }),
    };
}
