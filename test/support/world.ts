export { canaryToken as plantedToken } from "./canaries";
export * from "./simulator";
export { Simulator as World } from "./simulator";
