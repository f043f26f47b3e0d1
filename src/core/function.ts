/** A function as data: what it looks up, from what, on which service. Programs, scripts and pages get it from here. */

import { InputError } from "../errors";
import { checkInputs } from "./check";
import { connectionOf } from "./connection";
import type { OutputField } from "./definition";
import { secretTexts } from "./engine-values";
import type { Fields, Props, Rule } from "./field";
import type { Host } from "./host";
import { meaningful } from "./meaning";
import { retold } from "./operation-error";
import { asParagraph } from "./paragraph";
import { redacted } from "./redaction";
import { type RequestContext, requestContext } from "./request-context";
import type { Service } from "./service";
import { discreet, limited, type Session, type Vocabulary } from "./session";
import type { ToldError } from "./told-error";

/** A function. One constant per function, beside the resource that it belongs to. */
export interface FunctionDefinition {
    /** Its name, such as `getAuthRole`. The form for outputs adds `Output`. */
    readonly name: string;
    readonly service: Service;
    readonly doc: string;
    readonly inputs: Fields;
    readonly rules?: readonly Rule[];
    /** Works without a token in the settings. Its calls say so as well. */
    readonly anonymous?: true;
    /** The fields of its result. */
    readonly outputs: Readonly<Record<string, FunctionOutput>>;
    /** Types that its result names, for records inside it. */
    readonly records?: readonly RecordType[];
    /** What it says when something is wrong, beside what every function may say. */
    readonly errors: readonly ToldError[];
    invoke(session: Session, inputs: Props): Promise<Props>;
}

/** A field of a function's result. */
export interface FunctionOutput extends OutputField {
    /** Programs get it as a secret output. */
    readonly secret?: true;
}

/** A named type of records inside results. */
export interface RecordType {
    readonly name: string;
    readonly doc: string;
    readonly fields: Readonly<Record<string, OutputField>>;
}

/** The result of a lookup of an object with these fields: what `presented` returns. `types` names those of fields that have several forms. */
export function resultOf(fields: Fields, types: Readonly<Record<string, string>> = {}): Record<string, FunctionOutput> {
    const outputs: Record<string, FunctionOutput> = {};
    for (const name of meaningful(fields)) {
        const field = fields[name];
        if (field === undefined || field.option) continue;
        const { doc, kind, required, default: fallback, secret } = field;
        const isThere = field.only === undefined && (required || fallback !== undefined || field.settled);
        outputs[name] = {
            doc,
            type: types[name] ?? kind.readType ?? kind.type,
            ...(isThere ? {} : { optional: true as const }),
            ...(secret ? { secret: true as const } : {}),
        };
    }
    return outputs;
}

/** What runs a function of either form. */
interface Ways {
    check(given: Props, vocabulary: Vocabulary): { failures: string[]; warnings: string[] };
    secrets(given: Props): string[];
    run(context: RequestContext, given: Props): Promise<Props>;
}

/**
 * Runs a function.
 * @throws InputError for wrong arguments; else the service's failure as one paragraph that begins with the function's name
 */
export function invoke(definition: FunctionDefinition, host: Host, args: Props): Promise<Props> {
    return invokeWith(definition, host, args, {
        check: (given, vocabulary) =>
            checkInputs(definition.inputs, definition.rules ?? [], given, undefined, vocabulary),
        secrets: (given) => secretTexts(definition.inputs, given),
        run: (session, given) => definition.invoke(session, given),
    });
}

/** The same, told how. */
export async function invokeWith(
    definition: { readonly name: string; readonly service: Service; readonly anonymous?: true },
    host: Host,
    args: Props,
    ways: Ways,
): Promise<Props> {
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined && value !== null));
    const connection = connectionOf(given);
    const vocabulary = host.vocabulary(definition.service, connection);
    const { failures, warnings } = ways.check(given, vocabulary);
    if (host.strict) failures.push(...warnings);
    if (failures.length > 0) throw new InputError(definition.name, failures);
    for (const warning of warnings) host.say("warning", `${definition.name}: ${warning}`);
    const secrets = ways.secrets(given);
    try {
        const opened = await host.open(
            definition.service,
            connection,
            (severity, message) => host.say(severity, `${definition.name}: ${redacted(message, secrets)}`),
            definition.anonymous ? { anonymous: true } : {},
        );
        return await ways.run(requestContext(limited(discreet(opened, secrets), undefined)), given);
    } catch (error) {
        throw retold(error, host.redacted(redacted(`${definition.name}: ${asParagraph(error)}`, secrets)));
    }
}
