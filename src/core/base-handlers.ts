/** What the handlers of all three bases share: the address in an id, the state in its decoded form, and the difference of inputs. */

import type * as z from "zod";
import { diffValues } from "../schema/diff";
import type { Values } from "../schema/facts";
import type { ObjectNode } from "../schema/node";
import { decodedWithDefaults, withoutUndefined } from "../schema/values";
import { notAwaited, wrongForm } from "./failures";
import type { ObjectWait } from "./named-object-spec";
import type { RequestContext } from "./request-context";
import { type Created, PartialCreateError, type ResourceSpec, typedOutputs } from "./resource";
import { outputsAmong } from "./resource-properties";
import { Unfinished } from "./unfinished";

/** A resource as a base gets it: its address, its inputs and its state are plain data, decoded by the schema before the file gets them. */
interface BaseSpec extends ResourceSpec<z.ZodObject, z.ZodObject> {
    id(address: unknown): string;
    parse(id: string): unknown;
    named?(address: unknown): Values;
    readonly wait?: ObjectWait<z.ZodObject, z.ZodObject, unknown>;
}

/** What the handlers of all bases have in common. */
export class BaseHandlers<Spec extends BaseSpec> {
    constructor(
        protected readonly spec: Spec,
        protected readonly node: ObjectNode,
    ) {}

    named(id: string): Values {
        return this.spec.named?.(this.addressOf(id)) ?? {};
    }

    async previewChange(context: RequestContext, inputs: Values, olds: Values | undefined): Promise<void> {
        await this.spec.previewChange?.(
            context,
            decodedWithDefaults(this.node, inputs),
            olds && this.decodedState(olds),
            olds ? diffValues(this.node, olds, inputs) : [],
        );
    }

    /** The address of an id. @throws StatecraftError for an id of another form */
    protected addressOf(id: string): unknown {
        const address = this.spec.parse(id);
        if (address === undefined) throw wrongForm({ what: `the id ${JSON.stringify(id)}`, form: this.spec.idForm });
        return address;
    }

    /** Whether anything but options differs. */
    protected isChanged(olds: Values, news: Values): boolean {
        return diffValues(this.node, olds, news).some(({ isOption }) => !isOption);
    }

    /** The waits that these inputs ask for. */
    protected waits(values: Values): string[] {
        const { wait } = this.spec;
        return wait?.isWanted(values) ? [wait.name] : [];
    }

    /** Waits for what these inputs ask for. */
    protected async awaited(
        context: RequestContext,
        address: unknown,
        values: Values,
        outputs: Values,
    ): Promise<Created> {
        const { wait } = this.spec;
        const id = this.spec.id(address);
        if (!wait?.isWanted(values)) return { id, outputs };
        try {
            const learned = await wait.until(context, address, values);
            return { id, outputs: withoutUndefined({ ...outputs, ...learned }) };
        } catch (error) {
            const left = error instanceof Unfinished ? error : new Unfinished({}, [wait.name], notAwaited(), error);
            throw new PartialCreateError(id, { ...outputs, ...left.outputs }, left.steps, left.message, left.cause);
        }
    }

    /** The outputs of a state that are not inputs. */
    protected outputsIn(state: Values): Values {
        return outputsAmong(this.node, state);
    }

    /** A state as the functions of the file get it. */
    protected decodedState(state: Values): Values {
        return { ...decodedWithDefaults(this.node, state), ...typedOutputs(this.spec.outputs, state) };
    }
}
