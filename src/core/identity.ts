/** Ids of objects, from one template such as `<namespace>/<volumeId>`. */

import * as z from "zod";

/** The parameters that an id consists of, by their names. */
export type IdParts<Name extends string = string> = Readonly<Record<Name, string>>;

/** The ids of the objects of one resource. */
export interface Identity<Address extends IdParts> {
    /** The form of ids, for docs and messages: `auth/<mount>/config`. */
    readonly form: string;
    id(address: Address): string;
    /** The address of an id; `undefined` for an id of another form. */
    parse(id: string): Address | undefined;
}

type Names<Template extends string> = Template extends `${string}<${infer Name}>${infer Rest}`
    ? (Name extends `+${infer Bare}` ? Bare : Name) | Names<Rest>
    : never;

/**
 * Makes an identity: `identity("[<namespace>@]auth/<+mount>/config")`. A parameter `<+mount>` may contain slashes. A part in brackets is
 * absent from the id if its parameter is empty.
 * @param types what each parameter must be. Default: any text
 */
export function identity<Template extends string>(
    template: Template,
    types: { readonly [Name in Names<Template>]?: z.ZodType } = {},
): Identity<IdParts<Names<Template>>> {
    const names = [...template.matchAll(/<\+?(\w+)>/g)].map(([, name = ""]) => [name, z.string()]);
    const address = z.object({ ...Object.fromEntries(names), ...types });
    const pattern = template
        .replace(/\[(.*?)\]/g, "(?:$1)?")
        .replace(/<(\+?)(\w+)>/g, (_, plus: string, name: string) => `(?<${name}>${plus ? ".+?" : "[^/]+"})`);
    const whole = new RegExp(`^${pattern}$`);
    return {
        form: template.replaceAll("<+", "<"),
        id: (values: IdParts) =>
            template
                .replace(/\[(.*?<\+?(\w+)>.*?)\]/g, (_, part: string, name: string) => (values[name] ? part : ""))
                .replace(/<\+?(\w+)>/g, (_, name: string) => values[name] ?? ""),
        parse: (id) => address.safeParse(whole.exec(id)?.groups).data as IdParts<Names<Template>>,
    };
}
