/**
 * Runs the example that the stack's configuration names: `pulumi config set example auth-role`. Without a name it is the
 * demonstration, which `npm start` runs as well.
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

// Only the chosen one is loaded: every module declares its resources when it is.
module.exports = require(`./${name}`);
