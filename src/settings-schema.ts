/** The settings as the package schema tells them: names, types and descriptions, with the variables of the environment. */

import * as z from "zod";
import { property } from "./schema/facts";
import { stringMap } from "./schema/property-types";

const setting = (type: z.ZodType, description: string, extra: { secret?: true } = {}) =>
    property(type.optional(), { description, ...extra });

const service = (title: string, variable: string) =>
    property(
        z
            .strictObject({
                address: setting(z.string(), "Base address."),
                token: setting(z.string(), "Token. The environment wins over configuration here.", { secret: true }),
                namespace: setting(z.string(), "Namespace of objects that name none."),
                region: setting(z.string(), "Region that requests name."),
                caFile: setting(z.string(), "File of the certificate authority, in PEM form."),
                clientCertFile: setting(z.string(), "File of the client certificate, in PEM form."),
                clientKeyFile: setting(z.string(), "File of the client certificate's key, in PEM form."),
                skipTlsVerify: setting(z.boolean(), "Whether the server's certificate goes unverified."),
                headers: setting(stringMap, "Headers sent with every request."),
                timeout: setting(z.number(), "Seconds for one request. Default: 60."),
                maxRetries: setting(z.number(), "Tries after the first one, where repeating is safe. Default: 5."),
                maxConcurrency: setting(z.number(), "Requests in flight. Default: 10."),
                vocabulary: setting(
                    z.enum(["documented", "product"]),
                    "Whose names are spoken: the documents' or the real products'. Default: documented.",
                ),
                formerAddresses: setting(z.array(z.string()), "Addresses that led to the same server before."),
            })
            .optional(),
        {
            description: `Settings of the ${title}. Each field may also stand in the environment: ${variable}_ADDRESS, ${variable}_TOKEN and so on.`,
            typeName: "ServiceSettings",
        },
    );

/** Every key of the configuration. */
export const settingsSchema = z.strictObject({
    stateVersions: service("service of state versions", "STATECRAFT_STATE_VERSIONS"),
    manager: service("secrets manager", "STATECRAFT_MANAGER"),
    volumes: service("workload scheduler", "STATECRAFT_VOLUMES"),
    connections: property(
        z
            .record(
                z.string(),
                property(
                    z.strictObject({
                        stateVersions: service("service of state versions", "STATECRAFT_STATE_VERSIONS"),
                        manager: service("secrets manager", "STATECRAFT_MANAGER"),
                        volumes: service("workload scheduler", "STATECRAFT_VOLUMES"),
                    }),
                    { description: "Settings of further servers.", typeName: "Connection" },
                ),
            )
            .optional(),
        { description: "Further servers, by the names that `connection` uses." },
    ),
    strict: setting(z.boolean(), "Whether warnings of check are failures. In the environment: STATECRAFT_STRICT."),
});
