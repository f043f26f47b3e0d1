export * from "./managed-resource";
export { ManagedResource as Life } from "./managed-resource";
