/**
 * Loaded into the language host's Node process for programs in JavaScript: a host of this SDK's age would hear `typescript:
 * false` in Pulumi.yaml and not load the compiler; the older host that can be built from source does not.
 */
if (/[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run[\\/]/.test(process.argv[1] ?? "")) {
    process.env.PULUMI_NODEJS_TYPESCRIPT = "false";
}
