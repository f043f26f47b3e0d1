/** The texts of servers that the sources look for: the regular expressions and compared sentences in `src/services`. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** One alternative of an expression, or one sentence. */
export interface ServerText {
    /** The service's folder in `src/services`. */
    readonly service: string;
    /** As in the source, such as `/volume in use/`. */
    readonly source: string;
    readonly matches: (text: string) => boolean;
}

/** Expressions of `src/services` for inputs, ids and requests. */
const ours: readonly string[] = [
    ...[
        "/^[^@]*$/",
        "/^no credential/",
        "/./",
        "/(?<=^.|[^/])\\/+$/",
        "/^\\/+/",
        "/^[\\w-]+$/",
        "/s$/",
        '"PATCH "',
        '"GET "',
        "/[-_](\\w)/",
        "/^(\\s*)([^\\s,}]+)/",
        '/(?:^|\\.)([^\\s."[\\]]+)(?:\\[(\\d+|"(?:[^"\\\\]|\\\\.)*")\\])?/',
    ],
    ...[
        "/^[^/\\s\\p{Cc}]+$/",
        "/^[^/]+$/",
        "/^([0-9a-f]{2})*$/",
        "/^(?!\\.{1,2}$)[^/\\p{Cc}]+$/",
        "/^[^/*]+$/",
        "/^[^*]+$/",
    ],
    ...["/^(?!.*\\.\\.)\\w(?:[\\w.-]*\\w)?$/", "/^sha256:[0-9a-f]{64}$/", "/^(\\xff\\xfe|\\xfe\\xff|{\\0)/"],
    ...["/^\\w+ \\/v1\\/auth\\/(.+)\\/(?:config|login|rotate-root|role(?:\\/[^/]+)?)$/", "/^(\\w+) \\/v1\\/(.+)$/"],
    ...[
        "/^auth\\/.+(?<!\\/role)\\/login$/",
        "/actions\\/(un)?lock$/",
        "/^(\\[statecraft )[^/ ]+\\/(?=[^/ ]+\\/[^/ ]+ )/",
        "/^\\[statecraft.*\\]$/",
        "/^\\[statecraft (\\S+) (.+)::lock\\]$/",
        "/^\\[statecraft ([a-z]+) \\S+@\\S+ ([\\d:TZ-]+) \\S+\\]$/",
        "/^(\\[statecraft \\S+ ).*$/",
        "/%(5B|5D|25)/",
    ],
    ...["/^\\/(data(?:\\/[\\w-]{1,40}){1,4})$/", "/^data(?:\\.[\\w-]+)+ is refused(?=: |$)/"],
    ...["/([$%])\\1(?=\\{)/", "/[$%](?=\\{)/"],
    ...["/^\\d+ errors? occurred:\\s*\\* /", "/^\\d+\\.\\d+\\.\\d+/"],
    ...[
        "/^\\s+/",
        "/\\s+$/",
        "/\\[\\*\\]/",
        "/\\.(\\d+)(?=\\.|$)/",
        '/^(.*\\.)?provider(?:\\.([^."[\\]]+)|\\["([^"]+)"\\])(\\.[^.]+)?$/',
        "/^[\\w.~+/-]+=*$/",
    ],
    "/^(applied|discarded|errored|(force_)?canceled|planned_and_(finished|saved)|policy_soft_failed)$/",
    "/^(\\/subscriptions\\/[^/]+\\/resourceGroups\\/[^/]+(\\/[^/]+){3,})?$/",
];

const root = join(__dirname, "..", "..", "src", "services");
const compared: readonly string[] = ["says", "startsWith", "includes", "endsWith"];

export const serverTexts: readonly ServerText[] = readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => /[\\/].+\.ts$/.test(name))
    .flatMap((name) => {
        const [service = ""] = name.split(/[\\/]/);
        const file = ts.createSourceFile(name, readFileSync(join(root, name), "utf8"), ts.ScriptTarget.ES2022, true);
        return textsIn(file).map((text) => ({ service, ...text }));
    })
    .filter(({ source }) => !ours.includes(source));

function textsIn(node: ts.Node): Omit<ServerText, "service">[] {
    if (ts.isRegularExpressionLiteral(node)) {
        const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
        return alternatives(source).map((one) => {
            const expression = new RegExp(one, flags.replace("g", ""));
            return { source: `/${one}/`, matches: (text) => expression.test(text) };
        });
    }
    if (ts.isStringLiteral(node) && / /.test(node.text) && isCompared(node)) {
        return [{ source: JSON.stringify(node.text), matches: (text) => text.includes(node.text) }];
    }
    return node.getChildren().flatMap(textsIn);
}

function isCompared({ parent }: ts.Node): boolean {
    if (ts.isBinaryExpression(parent)) return /^[!=]==$/.test(parent.operatorToken.getText());
    if (!ts.isCallExpression(parent)) return false;
    const { expression } = parent;
    return compared.includes((ts.isPropertyAccessExpression(expression) ? expression.name : expression).getText());
}

/** Splits an expression at the `|` that are in no group. */
function alternatives(source: string): string[] {
    const parts = [""];
    let depth = 0;
    for (const [token] of source.matchAll(/\\.|\[(?:\\.|[^\]])*\]|./gs)) {
        depth += token === "(" ? 1 : token === ")" ? -1 : 0;
        if (token === "|" && depth === 0) parts.push("");
        else parts.push(`${parts.pop()}${token}`);
    }
    return parts;
}
