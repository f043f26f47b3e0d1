/** A setting that cannot be used, found where it is needed: in a file that it names, or in what a header can carry. */

import { settingsKey } from "../core/connection";
import type { Service } from "../core/service";
import { ConfigError } from "../errors";

/** Where settings stand, for messages. */
export interface Place {
    /** Key of the stack's configuration. Default: that of the service. */
    readonly key?: string | undefined;
}

/** The failure of one field. */
export function wrongSetting(
    service: Service,
    { key = settingsKey(service.name, undefined) }: Place,
    field: string,
    problem: string,
    hint?: string,
): ConfigError {
    const setting = `${key}.${field}`;
    return new ConfigError(setting, `${setting}: ${problem}`, hint);
}
