/** Programs that declare the same roles, each with a provider of another kind. */

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** One kind of provider. */
export interface Contender {
    /** The program. It begins with the text `roles`, which declares the constant `roles`. */
    readonly program: string;
    /** The stack's configuration. */
    readonly config: (address: string) => Readonly<Record<string, unknown>>;
}

/** Titles for the tables. */
export const titles = {
    floor: "empty native plugin",
    sender: "the same requests alone",
    textbook: "textbook way",
    dynamic: "statecraft, dynamic",
    native: "statecraft, native",
    executable: "statecraft, executable",
    peer: "official provider",
};

/** The names of the contenders. */
export type ContenderName = keyof typeof titles;

/** The eight fields of every role. */
export const roles = `
const roles = Array.from({ length: Number(process.env.BENCH_SIZE) }, (_, number) => ({
    name: \`role-\${number}\`,
    boundResourceGroups: [\`group-\${number}\`],
    boundLocations: ["north", "south"],
    tokenPolicies: ["web", \`role-\${number}\`],
    tokenBoundCidrs: ["10.0.0.0/8"],
    tokenTtl: 3600,
    tokenMaxTtl: 86400,
    tokenNumUses: 5,
}));`;

const floor = `
const pulumi = require("@pulumi/pulumi");
class Role extends pulumi.CustomResource {
    constructor(name, args) {
        super("floor:index:AuthRole", name, { mount: undefined, namespace: undefined, ...args });
    }
}
for (const role of roles) new Role(role.name, role);`;

/**
 * A dynamic provider as Pulumi's guides show it: its code is part of the program, and Pulumi stores it with each resource. It sends the same
 * requests as statecraft.
 */
const textbook = `
const pulumi = require("@pulumi/pulumi");
const axios = require("axios");

const address = new pulumi.Config().require("address");
const call = (method, name, data) =>
    axios.request({
        method,
        url: address + "/v1/auth/clouda/role/" + name,
        data,
        headers: { "X-Secrets-Token": process.env.STATECRAFT_MANAGER_TOKEN },
        validateStatus: (status) => status < 300 || status === 404,
    });
const show = async (name) => {
    const { status, data } = await call("GET", name);
    return status === 404 ? undefined : data.data;
};
const write = async (inputs) => {
    await call("POST", inputs.name, inputs);
    return show(inputs.name);
};
const provider = {
    async diff(id, olds, news) {
        const changed = Object.keys(news).some((key) => JSON.stringify(olds[key]) !== JSON.stringify(news[key]));
        return { changes: changed, replaces: olds.name === news.name ? [] : ["name"] };
    },
    async create(inputs) {
        if (await show(inputs.name)) throw new Error(inputs.name + " exists");
        return { id: inputs.name, outs: { mount: "clouda", ...(await write(inputs)) } };
    },
    async read(id, props) {
        const found = await show(id);
        return found === undefined ? { id: "" } : { id, props: { ...props, ...found } };
    },
    async update(id, olds, news) {
        return { outs: { mount: "clouda", ...(await write(news)) } };
    },
    async delete(id) {
        await call("DELETE", id);
    },
};
class Role extends pulumi.dynamic.Resource {
    constructor(name, args) {
        super(provider, name, { mount: undefined, ...args });
    }
}
for (const role of roles) new Role(role.name, role);`;

const ours = (entry: string) => `
const { AuthRole } = require("${entry}");
for (const role of roles) new AuthRole(role.name, role);`;

/** The official provider of Vault, a Go program. */
const peer = `
const pulumi = require("@pulumi/pulumi");
class Role extends pulumi.CustomResource {
    constructor(name, { name: role, ...args }) {
        super("vault:azure/authBackendRole:AuthBackendRole", name, { backend: "azure", role, ...args });
    }
}
for (const role of roles) new Role(role.name, role);`;

const settings = (address: string) => ({ "statecraft:manager": { address } });

const always = {
    floor: { program: floor, config: () => ({}) },
    sender: { program: floor, config: (address: string) => ({ "floor:address": address }) },
    textbook: { program: textbook, config: (address: string) => ({ address }) },
    dynamic: { program: ours("pulumi-statecraft"), config: settings },
    native: { program: ours("pulumi-statecraft/native"), config: settings },
    executable: { program: ours("pulumi-statecraft/native"), config: settings },
} satisfies Record<string, Contender>;

/** The executable of the official provider. */
export const peerPlugin = "pulumi-resource-vault";

/** Whether the official provider is on PATH. */
export const isPeerHere = (path = process.env["PATH"] ?? ""): boolean =>
    path.split(delimiter).some((folder) => {
        try {
            accessSync(join(folder, peerPlugin), constants.X_OK);
            return true;
        } catch {
            return false;
        }
    });

/** The contenders that this machine can run. */
export function contenders(): Partial<Record<ContenderName, Contender>> {
    if (!isPeerHere()) return always;
    const config = (address: string) => ({
        "vault:address": address,
        "vault:token": "any",
        "vault:skipChildToken": true,
    });
    return { ...always, peer: { program: peer, config } };
}
