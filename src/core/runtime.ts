/** What a runtime provides to the operations of resources, and tells them of the deployment. */

import type { Defaults } from "../schema/facts";
import type { Service } from "./service";
import type { Session } from "./session";
import type { StandIns } from "./stand-ins";

/** How loud a message is. `progress` is replaced by the next one where the terminal can do so. */
export type Severity = "debug" | "progress" | "info" | "warning";

/** What a runtime provides. */
export interface Runtime {
    /** A session on the server that the settings name for this service and connection. */
    open(
        service: Service,
        connection: string | undefined,
        say: (severity: Severity, message: string) => void,
        /** `anonymous`: no request of the session carries a token, so none needs to be set. `secrets`: no message of the session holds one of them. */
        options?: { readonly anonymous?: true; readonly secrets?: readonly string[] },
    ): Promise<Session>;
    /** What a program leaves out, as the settings and the server have it. Sends no request. */
    defaults(service: Service, connection: string | undefined): Defaults;
    /** What programs wrote where state holds a digest. */
    readonly standIns: StandIns;
    /** Whether warnings of check are failures (`statecraft:strict`). */
    readonly strict: boolean;
    /** Shows a message to the user, at the resource where its URN is known, else under the stack. What the settings keep secret is taken out of it. */
    say(severity: Severity, message: string, urn?: string): void;
    /** A message as one line without these secrets and those of the settings, such as tokens. */
    redacted(message: string, secrets?: readonly string[]): string;
}

/** What a host knows of the deployment that an operation is part of, beside the properties. */
export interface DeploymentContext {
    /** The resource's name in the deployment: messages stand at it. */
    readonly urn?: string | undefined;
    /** Seconds that the operation may wait; the input `timeouts` says so where the host does not. */
    readonly timeout?: number | undefined;
    /** Where to look for an object of which only the id is known. */
    readonly connection?: string | undefined;
    /** Text that marks locks as this resource's own. */
    readonly lockMark?: string | undefined;
    /** Aborts when the user cancels. */
    readonly signal?: AbortSignal | undefined;
    /** Nothing will be done: this is a preview. */
    readonly isPreview?: boolean | undefined;
}
