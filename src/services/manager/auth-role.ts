/** AuthRole: who may log in through the cloud-identity method, and what tokens they receive (document "Secrets Manager", Role). */

import { isEverywhere } from "../../core/cidr";
import { declared, type Seen, unlessAbsent } from "../../core/declared";
import type { Definition } from "../../core/definition";
import { secondsOf } from "../../core/duration";
import { field, type Props, type Rule } from "../../core/field";
import { type FunctionDefinition, resultOf } from "../../core/function";
import {
    caselessText,
    choice,
    cidrs,
    count,
    duration,
    flag,
    type Kind,
    listed,
    names,
    separatedNames,
    textMap,
} from "../../core/kind";
import { fromWire, isSameField, meantValue, presented, toWire } from "../../core/meaning";
import { operation } from "../../core/operation";
import type { Session } from "../../core/session";
import { fieldsIn } from "../../core/vocabularies";
import { adoptField, connectionField, timeoutsField } from "../options";
import { roleFailures, roleListFailures, roleLookupFailures } from "./failures";
import {
    dataOf,
    listNames,
    type Mount,
    manager,
    mountFields,
    mountId,
    mountOf,
    mountOutputs,
    nameRule,
    namespaceHeaders,
    saidAbsent,
    showWarnings,
} from "./service";

// The service writes the whole role each time it is told to, so repeating a write changes nothing.
const write = operation("POST /v1/auth/{+mount}/role/{name}", "always");
const show = operation("GET /v1/auth/{+mount}/role/{name}");
const remove = operation("DELETE /v1/auth/{+mount}/role/{name}");
const list = operation("LIST /v1/auth/{+mount}/role");

const boundTo = (wire: string, what: string) =>
    field(names, {
        wire,
        default: [],
        doc: `Login is restricted to these ${what}. Left out or empty: not restricted by them.`,
    });
const lifetime = (wire: string, doc: string) =>
    field(duration(), { wire, default: 0, doc: `${doc} Whole seconds, or text such as \`1h\`. 0: not set.` });

/** A type that was never set may read as empty text, which means the default. */
const tokenTypes = <const Word extends string>(words: readonly Word[]): Kind<Word> => ({
    ...choice(words),
    read: (answer) => answer || "default",
});

const inputs = {
    ...mountFields,
    name: field(caselessText(nameRule), {
        required: true,
        replaces: true,
        doc: "Name of the role. The case of letters carries no meaning.",
    }),
    boundServicePrincipalIds: boundTo("bound_service_principal_ids", "service principal IDs"),
    boundGroupIds: boundTo("bound_group_ids", "group IDs"),
    boundLocations: boundTo("bound_locations", "locations"),
    boundSubscriptionIds: boundTo("bound_subscription_ids", "subscription IDs"),
    boundResourceGroups: boundTo("bound_resource_groups", "resource groups"),
    boundScaleSets: boundTo("bound_scale_sets", "scale set names"),
    tokenTtl: lifetime("token_ttl", "Incremental lifetime of generated tokens; the current value is used at renewal."),
    tokenMaxTtl: lifetime(
        "token_max_ttl",
        "Maximum lifetime of generated tokens; the current value is used at renewal.",
    ),
    tokenPolicies: field(separatedNames, {
        wire: "token_policies",
        default: [],
        doc: "Policies encoded onto generated tokens, as a list or as one text separated by commas.",
    }),
    policies: field(separatedNames, {
        oldSpellingOf: "tokenPolicies",
        deprecated: "use tokenPolicies",
        doc: "Former spelling of `tokenPolicies`.",
    }),
    tokenBoundCidrs: field(cidrs, {
        wire: "token_bound_cidrs",
        default: [],
        doc: "CIDR blocks that may authenticate, and that tokens are tied to; a list or one text separated by commas.",
    }),
    tokenExplicitMaxTtl: lifetime("token_explicit_max_ttl", "Hard cap encoded onto tokens, whatever renewal allows."),
    tokenNoDefaultPolicy: field(flag, {
        wire: "token_no_default_policy",
        default: false,
        doc: "Whether the policy `default` is withheld from generated tokens.",
    }),
    tokenNumUses: field(count(), {
        wire: "token_num_uses",
        default: 0,
        doc: "How many times a token may be used; 0 is unlimited. Must be 0 for tokens that create child tokens.",
    }),
    tokenPeriod: lifetime("token_period", "Maximum period of periodic tokens."),
    tokenType: field(tokenTypes(["service", "batch", "default", "default-service", "default-batch"]), {
        wire: "token_type",
        default: "default",
        product: { kind: tokenTypes(["service", "batch", "default"]) },
        doc: "Type of generated tokens. `default` is what the mount is tuned to, normally `service`; `batch` is advised for machines.",
    }),
    maxTtl: field(duration(), {
        oldSpellingOf: "tokenMaxTtl",
        doc: "Former spelling of `tokenMaxTtl`.",
    }),
    maxJwtExp: field(count(), {
        wire: "max_jwt_exp",
        sparse: true,
        doc: "Sent as `max_jwt_exp` where given, and left alone where not. The service's document uses it without saying what it means; servers may ignore it.",
    }),
    aliasMetadata: field(textMap, {
        wire: "alias_metadata",
        default: {},
        only: "product",
        doc: "Texts by name that are attached to the alias of whoever logs in. For servers that know it.",
    }),
    adopt: adoptField,
    timeouts: timeoutsField,
    connection: connectionField,
} as const;

/** The texts of a list, in either of its forms; none of what is no list. */
const textsIn = (value: unknown): string[] => listed(separatedNames.schema.safeParse(value).data ?? []);
const isEmpty = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);
const isBatch = (values: Props) => ["batch", "default-batch"].includes(String(values["tokenType"]));

const boundFields = Object.keys(inputs).filter((name) => name.startsWith("bound"));

/** What real servers refuse and no document forbids: a failure there, else a warning. */
const refusedInFact = (rule: Rule): Rule[] => [
    { ...rule, only: "product" },
    { ...rule, only: "documented", severity: "warning" },
];

const rules: readonly Rule[] = [
    {
        uses: boundFields,
        only: "product",
        test: (values) =>
            boundFields.every((name) => isEmpty(values[name]))
                ? `${boundFields[0]}: a role must be bound to something: set at least one of ${boundFields.join(", ")}`
                : undefined,
    },
    {
        uses: boundFields,
        only: "documented",
        severity: "warning",
        test: (values) =>
            boundFields.every((name) => isEmpty(values[name]))
                ? `${boundFields[0]}: without any bound value, every machine of the tenant can log in: set one of ${boundFields.join(", ")}`
                : undefined,
    },
    {
        uses: ["tokenBoundCidrs"],
        severity: "warning",
        test: ({ tokenBoundCidrs }) =>
            isEverywhere(textsIn(tokenBoundCidrs))
                ? "tokenBoundCidrs: is open to the whole world, which restricts nothing"
                : undefined,
    },
    ...refusedInFact({
        uses: ["tokenType", "tokenNumUses"],
        test: (values) =>
            isBatch(values) && meantValue(inputs, values, "tokenNumUses") !== 0
                ? "tokenNumUses: batch tokens cannot have a limited number of uses: leave it out, or choose another tokenType"
                : undefined,
    }),
    ...refusedInFact({
        uses: ["tokenType", "tokenPeriod"],
        test: (values) =>
            isBatch(values) && secondsOf(meantValue(inputs, values, "tokenPeriod")) > 0
                ? "tokenPeriod: batch tokens cannot be periodic: leave it out, or choose another tokenType"
                : undefined,
    }),
    ...refusedInFact({
        uses: ["tokenTtl", "tokenMaxTtl", "maxTtl"],
        test: (values) => {
            const most = secondsOf(meantValue(inputs, values, "tokenMaxTtl"));
            return most > 0 && secondsOf(meantValue(inputs, values, "tokenTtl")) > most
                ? "tokenTtl: must not be greater than tokenMaxTtl"
                : undefined;
        },
    }),
];

/** Fields by their former names at the service, and what empties those. */
const formerNames = { policies: "tokenPolicies", max_ttl: "tokenMaxTtl" } as const;
const withoutFormer = { policies: [], max_ttl: 0 };

interface Address extends Mount {
    readonly name: string;
}

const at = (address: Address) => ({ mount: address.mount, name: address.name });

function addressOf(values: Props, session: Session): Address {
    return { ...mountOf(values, session), name: String(values["name"]).toLowerCase() };
}

async function showRole({ client }: Session, address: Address): Promise<Props> {
    const call = { parameters: at(address), headers: namespaceHeaders(address.namespace) };
    return dataOf(await client.call(show, call), `GET ${show.path(at(address))}`);
}

const readRole = async (session: Session, address: Address): Promise<Props> => ({
    name: address.name,
    ...fieldsOf(session, await showRole(session, address)),
});

/** What a role holds under the former spelling of a field counts as much as what it holds under the new one. */
function fieldsOf({ vocabulary }: Session, data: Props): Props {
    const told = fromWire(fieldsIn(inputs, vocabulary), data);
    const policies = textsIn(told["tokenPolicies"]);
    const further = textsIn(data["policies"]).filter((policy) => !policies.includes(policy));
    const maxTtl = secondsOf(data["max_ttl"]);
    return {
        ...told,
        ...(further.length > 0 && { tokenPolicies: [...policies, ...further] }),
        ...(maxTtl > 0 && { tokenMaxTtl: maxTtl }),
    };
}

/** Servers drop what stands under a former spelling when the new one is written; whether this one has done so. */
async function isLeftBehind(session: Session, address: Address, values: Props): Promise<boolean> {
    // Whoever looks at what was written says what is wrong with the look.
    const data = await showRole(session, address).catch(() => ({}));
    const seen = fieldsOf(session, data);
    return Object.entries(formerNames).some(
        ([former, name]) => former in data && !isSameField(inputs, name, values, seen),
    );
}

async function observe(session: Session, address: Address): Promise<Seen | undefined> {
    const fields = await readRole(session, address).catch(unlessAbsent);
    return fields && { fields };
}

/** A role of the login method. */
export const authRole = {
    type: "AuthRole",
    service: manager,
    doc: "A role of the secrets manager's cloud-identity login method: which machines may log in, and what tokens they receive.",
    inputs,
    outputs: {},
    rules,
    errors: roleFailures,
    verbs: declared<Address>({
        inputs,
        title: ({ name, ...mount }) => `role ${name} of ${mountId(mount)}`,
        address: addressOf,
        id: ({ name, ...mount }) => `${mountId(mount)}/role/${name}`,
        idForm: "auth/<mount>/role/<name>, in a namespace <namespace>@auth/<mount>/role/<name>",
        parse(id) {
            const [, namespace = "", mount, name] = /^(?:([^@]+)@)?auth\/(.+)\/role\/([^/]+)$/.exec(id) ?? [];
            const isPlace =
                mount &&
                name &&
                inputs.mount.kind.schema.safeParse(mount).success &&
                inputs.name.kind.schema.safeParse(name).success;
            return isPlace ? { namespace, mount, name: name.toLowerCase() } : undefined;
        },
        named: (address) => ({ ...address }),

        observe,

        async write(session, address, values, prior) {
            const body = toWire(fieldsIn(inputs, session.vocabulary), values);
            const call = { parameters: at(address), headers: namespaceHeaders(address.namespace) };
            showWarnings(await session.client.call(write, { ...call, body }), session);
            const isNew = prior === undefined && values["adopt"] !== true;
            if (isNew || !(await isLeftBehind(session, address, values))) return;
            showWarnings(await session.client.call(write, { ...call, body: { ...body, ...withoutFormer } }), session);
        },

        async remove({ client }, address) {
            await client.call(remove, { parameters: at(address), headers: namespaceHeaders(address.namespace) });
        },
    }),
} as const satisfies Definition;

/** Looks up one role. */
export const getAuthRole = {
    name: "getAuthRole",
    service: manager,
    doc: "Looks up a role of the secrets manager's login method.",
    inputs: { mount: inputs.mount, namespace: inputs.namespace, name: inputs.name, connection: inputs.connection },
    outputs: resultOf(inputs),
    errors: roleLookupFailures,
    async invoke(session, args) {
        const address = addressOf(args, session);
        const title = `the role ${address.name} of ${mountId(address)}`;
        const role = await readRole(session, address).catch(saidAbsent(title));
        return { ...address, ...presented(fieldsIn(inputs, session.vocabulary), role) };
    },
} as const satisfies FunctionDefinition;

/** Lists the roles of a login method. */
export const getAuthRoles = {
    name: "getAuthRoles",
    service: manager,
    doc: "Lists the names of the roles of the secrets manager's login method.",
    inputs: { mount: inputs.mount, namespace: inputs.namespace, connection: inputs.connection },
    outputs: {
        ...mountOutputs,
        names: {
            doc: "Names of the roles, as the service spells them. Empty where the mount has none.",
            type: "string[]",
        },
    },
    errors: roleListFailures,
    async invoke(session, args) {
        const { mount, namespace } = mountOf(args, session);
        const call = { parameters: { mount }, headers: namespaceHeaders(namespace) };
        const names = await listNames(session.client.call(list, call), `LIST ${list.path({ mount })}`);
        return { mount, namespace, names };
    },
} as const satisfies FunctionDefinition;
