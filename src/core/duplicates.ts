/** Two resources of one program that are one object would fight over it: the second one is refused. */

import type { Values } from "../schema/facts";
import type { Finding } from "../schema/finding";
import { unknown } from "../schema/unknown";
import { connectionOf } from "./connection";
import { sameObject } from "./failures";
import type { Resource } from "./resource";
import type { Run } from "./run";
import type { DeploymentContext, Runtime } from "./runtime";

/** What check says of inputs whose object another resource of the run is. Only an id that is known beforehand can tell. */
export function duplicatesOf(
    resource: Resource,
    runtime: Runtime,
    run: Run | undefined,
    inputs: Values,
    { urn }: DeploymentContext,
): Finding[] {
    const connection = connectionOf(inputs);
    const settings = runtime.defaults(resource.service, connection);
    const { handlers } = resource.in(settings.vocabulary);
    if (run === undefined || urn === undefined || handlers.idOf === undefined) return [];
    const id = handlers.idOf(inputs, settings);
    const object = JSON.stringify([inputs["connection"], id]);
    const owner = object.includes(unknown) ? urn : run.claim(resource.type, object, urn);
    return owner === urn ? [] : [{ path: "", reason: sameObject({ name: owner.split("::").at(-1) ?? "", id }) }];
}
