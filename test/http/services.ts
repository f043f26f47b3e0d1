/** The services, whose errors have three forms. */

export { manager } from "../../src/services/manager/service";
export { stateVersions } from "../../src/services/state-versions/service";
export { volumes } from "../../src/services/volumes/service";
