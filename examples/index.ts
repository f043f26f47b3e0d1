/**
 * Runs the example that the stack's configuration names: `pulumi config set example auth-role`. The default is the
 * demonstration, which `npm start` also runs.
 */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import * as pulumi from "@pulumi/pulumi";

const name = new pulumi.Config().get("example") ?? "demonstration";
const names = readdirSync(__dirname)
    .filter((file) => file.endsWith(".ts") && file !== "index.ts")
    .map((file) => basename(file, ".ts"));
if (!names.includes(name)) {
    throw new pulumi.RunError(`There is no example "${name}"; there are: ${names.join(", ")}.`);
}

// Loading a module declares its resources, so only the chosen one is loaded.
module.exports = require(`./${name}`);
