/** The state versions service: its token header and the shapes of its failures (document "State Versions"). */

import * as z from "zod";
import type { Service } from "../../core/service";
import { otherToken } from "./failures";

/** `status` may be text or a number; nothing but the words is used. */
const failure = z.object({
    errors: z.array(z.looseObject({ title: z.string().nullish(), detail: z.string().nullish() })),
});

/** The service that keeps the state versions of workspaces. */
export const stateVersions: Service = {
    name: "stateVersions",
    title: "state versions service",
    contentType: "application/vnd.api+json",
    tokenHeader: (token) => ["Authorization", `Bearer ${token}`],
    reasons: ({ body }) =>
        failure.safeParse(body).data?.errors.flatMap(({ title, detail }) => detail || title || []) ?? [],
    hint: ({ status }) => (status === 403 ? otherToken() : undefined),
    absent: ({ status, body }) => status === 404 && failure.safeParse(body).success,
    passing: () => false,
};
