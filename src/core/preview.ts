/** What a preview tells beside the changes: settings that will not do, and what a resource can look up. */

import { ConfigError, type StatecraftError } from "../errors";
import type { Values } from "../schema/facts";
import { holdsUnknown, unknown } from "../schema/unknown";
import { connectionOf } from "./connection";
import { noPreview, refusedNow, unusableSettings } from "./failures";
import { formatError } from "./format-error";
import type { Runtime, Severity } from "./runtime";
import type { Service } from "./service";
import { limited, type Opened, type Session } from "./session";
import { type Reporter, withRedaction } from "./with-redaction";

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
    const own = withRedaction(runtime, () => secrets);
    const readable = (text: string) => text.replaceAll(unknown, "[not known yet]");
    const say = (severity: Severity, message: string) => own.say(severity, readable(message), urn);
    const failures: string[] = [];
    try {
        const opened = await open(definition, { ...own, strict: runtime.strict }, connectionOf(inputs), say);
        if (typeof opened === "string") return [opened];
        if (opened === undefined || definition.preview === undefined) return [];
        const session = limited(opened, undefined);
        await definition.preview(session, inputs, olds, (problem) => {
            const told = refusedNow({ problem: formatError(problem) });
            if (runtime.strict) failures.push(own.redacted(readable(told)));
            else say("warning", told);
        });
    } catch (error) {
        if (definition.preview) say("warning", noPreview({ problem: formatError(error) }));
    }
    return failures;
}

/** A session; nothing, or where warnings are failures the problem, when the settings will not do. Of them, one resource speaks for all. */
async function open(
    { service }: Subject,
    runtime: Reporter & Pick<Runtime, "strict">,
    connection: string | undefined,
    say: (severity: Severity, message: string) => void,
): Promise<Opened | string | undefined> {
    try {
        return await runtime.open(service, connection, say);
    } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const problem = runtime.redacted(unusableSettings({ service: service.title, problem: formatError(error) }));
        if (runtime.strict) return problem;
        runtime.warnOnce(problem);
        return undefined;
    }
}
