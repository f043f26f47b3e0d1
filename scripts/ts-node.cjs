/** TypeScript for mocha, by a fast transpiler: types are checked once, by `npm test` itself. */
require("../test/support/light-sdk.cjs");
require("ts-node").register({
    transpileOnly: true,
    transpiler: require.resolve("./transpiler.cjs"),
    // What `module: node16` implies, and the transpiler is not told.
    compilerOptions: { esModuleInterop: true },
});
