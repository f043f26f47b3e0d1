/** A route of the control API, which lies under `/simulator`, is for tests and for people who try things, and asks for no token. */

import { z } from "zod";
import { parsed } from "./json";
import type { Context, Route } from "./route";
import { badRequest } from "./simulator-error";

/** Makes a route. `body` describes the JSON body; the answer is 200 with the object that `act` returns, or 204 where it returns none. */
export function controlRoute<Body>(
    method: string,
    path: string,
    body: z.ZodType<Body>,
    act: (body: Body, context: Context) => unknown,
): Route {
    return {
        method,
        path: `/simulator${path}`,
        respond: (context) => {
            const answer = act(readBody(body, context.request.body), context);
            return typeof answer === "object" && answer !== null ? { status: 200, body: answer } : { status: 204 };
        },
    };
}

/** For routes that need no body. */
export const anyBody = z.unknown();

/** A value of the expected form. Throws an error that says what is wrong with it. */
export function validated<Value>(schema: z.ZodType<Value>, value: unknown): Value {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const reasons = result.error.issues.map(({ path, message }) => [...path, message].join(": "));
    throw badRequest(...reasons);
}

function readBody<Body>(schema: z.ZodType<Body>, body: Buffer): Body {
    const text = body.toString();
    const value = text.trim() === "" ? undefined : parsed(text);
    if (value === undefined && text.trim() !== "") throw badRequest("the body is not JSON");
    return validated(schema, value);
}
