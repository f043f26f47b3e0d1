/** Advice on a refused token or a missing setting in `refresh`, `destroy` and `import`. */
export const settingsAdvice =
    "`pulumi refresh`, `pulumi destroy` and `pulumi import` use the settings of the last `pulumi up`: " +
    "run the first two with `--run-program`, or export the token";
