/** What a preview tells beside the changes: settings that will not do, and what a resource can look up. */

import { ConfigError, type StatecraftError } from "../errors";
import type { Values } from "../schema/facts";
import { holdsUnknown, unknown } from "../schema/unknown";
import { connectionOf } from "./connection";
import { asParagraph } from "./paragraph";
import { redacted } from "./redaction";
import type { Runtime, Severity } from "./runtime";
import type { Service } from "./service";
import { discreet, limited, type Opened, type Session } from "./session";

/** What is going to be deployed. */
interface Plan {
    readonly inputs: Values;
    /** The inputs of the last deployment, if there was one. */
    readonly olds: Values | undefined;
    readonly urn: string | undefined;
    readonly secrets: readonly string[];
}

/** What is asked of a resource in its preview. */
interface Subject {
    readonly service: Service;
    preview?:
        | ((
              session: Session,
              inputs: Values,
              olds: Values | undefined,
              reportBlocker: (problem: StatecraftError) => void,
          ) => Promise<void>)
        | undefined;
}

/** Shows what `pulumi up` would do, and returns what would make it fail. A look-up that fails never fails the preview. */
export async function previewChange(definition: Subject, runtime: Runtime, plan: Plan): Promise<readonly string[]> {
    const { inputs, olds, urn, secrets } = plan;
    // Which server it will be is not known yet.
    if (holdsUnknown(inputs["connection"])) return [];
    const readable = (text: string) => redacted(text, secrets).replaceAll(unknown, "[not known yet]");
    const say = (severity: Severity, message: string) => runtime.say(severity, readable(message), urn);
    const failures: string[] = [];
    try {
        const opened = await open(definition, runtime, connectionOf(inputs), say);
        if (typeof opened === "string") return [opened];
        if (opened === undefined || definition.preview === undefined) return [];
        const session = limited(discreet(opened, secrets), undefined);
        await definition.preview(session, inputs, olds, (problem) => {
            const told = `the service would refuse this now: ${asParagraph(problem)}`;
            if (runtime.strict) failures.push(runtime.redacted(readable(told)));
            else say("warning", told);
        });
    } catch (error) {
        if (definition.preview) say("warning", `what this will do could not be looked up: ${asParagraph(error)}`);
    }
    return failures;
}

/** A session; nothing, or where warnings are failures the problem, when the settings will not do. Of them, one resource speaks for all. */
async function open(
    { service }: Subject,
    runtime: Runtime,
    connection: string | undefined,
    say: (severity: Severity, message: string) => void,
): Promise<Opened | string | undefined> {
    try {
        return await runtime.open(service, connection, say);
    } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const problem = runtime.redacted(
            `${service.title}: nothing can be deployed with these settings: ${asParagraph(error)}`,
        );
        if (runtime.strict) return problem;
        runtime.warnOnce(problem);
        return undefined;
    }
}
