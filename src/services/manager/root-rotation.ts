/** RootRotation: a new client secret for a login method, known to the service alone (document "Secrets Manager", rotate-root). */

import { type Definition, HalfMadeError, unfinishedSteps } from "../../core/definition";
import type { Props } from "../../core/field";
import { isSameField } from "../../core/meaning";
import { operation } from "../../core/operation";
import type { Session } from "../../core/session";
import { isLostAnswer, reworded, ServiceError, StatecraftError } from "../../errors";
import { connectionField, triggersField } from "../options";
import { rotationFailures } from "./failures";
import {
    type Mount,
    manager,
    mountFields,
    mountId,
    mountOf,
    mountSubject,
    namespaceHeaders,
    settledMount,
    showWarnings,
} from "./service";

// Every request makes another secret.
const rotate = operation("POST /v1/auth/{+mount}/rotate-root", "refused");

const inputs = {
    ...mountFields,
    triggers: triggersField("rotates"),
    connection: connectionField,
} as const;

const idOf = (mount: Mount) => `${mountId(mount)}/rotate-root`;

function parse(id: string): Mount {
    const [, namespace = "", mount] = /^(?:([^@]+)@)?auth\/(.+)\/rotate-root$/.exec(id) ?? [];
    if (mount && inputs.mount.kind.schema.safeParse(mount).success) return { namespace, mount };
    const form = "auth/<mount>/rotate-root, in a namespace <namespace>@auth/<mount>/rotate-root";
    throw new StatecraftError("id", `the id ${JSON.stringify(id)} does not have the form ${form}`);
}

/** Whether a deployment that goes from these inputs to those will rotate. */
const isDue = (olds: Props, news: Props) => !isSameField(inputs, "triggers", olds, news);

/** Rotates once. After a lost answer nobody can say whether it was done. */
async function rotateRoot(session: Session, mount: Mount, outputs: Props): Promise<Props> {
    const call = { parameters: { mount: mount.mount }, headers: namespaceHeaders(mount.namespace) };
    try {
        showWarnings(await session.client.call(rotate, call), session);
    } catch (error) {
        if (isLostAnswer(error)) {
            const problem =
                `the answer was lost, so either the root secret of ${mountId(mount)} was rotated and the old one is void, or nothing was done and the old one holds. ` +
                "The next `pulumi up` rotates again, which is right in both cases";
            throw new HalfMadeError(idOf(mount), outputs, ["rotate"], problem, error);
        }
        throw explained(error, mount);
    }
    return outputs;
}

function explained(error: unknown, mount: Mount): unknown {
    if (!(error instanceof ServiceError) || !error.reasons.some((reason) => /config is nil/.test(reason))) return error;
    return reworded(error, {
        hint: `${mountId(mount)} has no configuration yet, so there is no secret to rotate: declare an \`AuthConfig\` and let this resource depend on it (\`dependsOn\`)`,
    });
}

/** A rotation of a login method's root secret. */
export const rootRotation = {
    type: "RootRotation",
    service: manager,
    doc: "Rotates the client secret in the configuration of the secrets manager's login method: the service makes a new one that it alone knows. This cannot be undone.",
    inputs,
    outputs: {},
    rules: [],
    subject: mountSubject,
    errors: rotationFailures,

    async preview(session, news, olds) {
        if (olds !== undefined && !isDue(olds, news)) return;
        session.warn(
            `this rotates the root secret of ${mountId(mountOf(news, session))}, which cannot be undone: the client secret that is in use now becomes void, and the new one is known to the service alone`,
        );
    },

    verbs: {
        async create(session, news) {
            const mount = mountOf(news, session);
            return {
                id: idOf(mount),
                outputs: await rotateRoot(session, mount, { ...news, ...settledMount(mount) }),
            };
        },

        // The service tells nothing of past rotations, so there is nothing that could have changed.
        async read(_, id, state) {
            return { id, outputs: { ...state, ...settledMount(parse(id)) } };
        },

        async update(session, id, olds, news) {
            const mount = parse(id);
            const outputs = { ...news, ...settledMount(mount) };
            const wanted = isDue(olds, news) || unfinishedSteps(olds).includes("rotate");
            return wanted ? rotateRoot(session, mount, outputs) : outputs;
        },

        // What was rotated stays so.
        async delete() {},

        named: (id) => ({ ...parse(id) }),
    },
} as const satisfies Definition;
