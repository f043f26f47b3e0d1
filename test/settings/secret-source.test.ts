/** Tests what is read as a secret, and that no message quotes it. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StatecraftError } from "../../src/errors";
import { readSecret, type SecretKind } from "../../src/settings/secret-source";
import { failureOf } from "../support/failures";
import { temporaryFolder } from "../support/temporary-folder";

describe("a secret in a file or a variable", () => {
    const home = temporaryFolder();
    const pause = async () => undefined;
    const file = (content: string | Buffer) => {
        writeFileSync(join(home, "secret"), content);
        return "~/secret";
    };
    const read = (kind: SecretKind, source: object, environment: NodeJS.ProcessEnv = {}, signal?: AbortSignal) =>
        readSecret(source, { kind, environment: { HOME: home, ...environment }, signal, pause });
    const jwt = "planted-a.planted-b.planted-c";
    const key = '{"private_key":"planted\\nline"}';

    const usable: [what: string, kind: SecretKind, content: string | Buffer, secret: string][] = [
        ["with a byte order mark and a line break of Windows", "token", "\ufeffhvs.planted\r\n", "hvs.planted"],
        ["that is a JWT without a signature", "jwt", "planted.planted.", "planted.planted."],
        ["that is the JSON of a key", "text", `${key}\n`, key],
        ["that is the word null", "text", "null", "null"],
        ["of exactly 1 MiB", "text", "a".repeat(1024 ** 2), "a".repeat(1024 ** 2)],
    ];
    for (const [what, kind, content, secret] of usable) {
        it(`${what} is read as ${kind}, also through a link`, async () => {
            symlinkSync(join(home, "secret"), join(home, "link"));
            assert.equal(await read(kind, { file: file(content) }), secret);
            assert.equal(await read(kind, { file: "~/link" }), secret);
            rmSync(join(home, "link"));
        });
    }

    const wide = (text: string, mark = "\ufeff") => Buffer.from(mark + text, "utf16le");
    const wrapped = { token: "planted", creation_path: "sys/wrapping/wrap" };
    const contents: [kind: SecretKind, content: string | Buffer, says: RegExp][] = [
        ["token", "null\n", /"null"/],
        ["secretId", "undefined", /"null"/],
        ["jwt", JSON.stringify({ count: 5, value: jwt }), /JSON/],
        ["token", '["planted"]', /JSON/],
        ["token", JSON.stringify(wrapped), /wrapped.*vault unwrap/],
        ["jwt", JSON.stringify({ wrap_info: wrapped }), /wrapped.*vault unwrap/],
        ["secretId", "hvs.planted0123456789012345", /wrapped.*vault unwrap/],
        ["secretId", "s.planted0123456789012345", /wrapped.*vault unwrap/],
        ["token", wide("planted\r\n"), /UTF-16/],
        ["jwt", wide(jwt, ""), /UTF-16/],
        ["text", wide("planted"), /UTF-16/],
        ["jwt", `Bearer ${jwt}`, /`Bearer`/],
        ["token", "bearer planted", /`Bearer`/],
        ["token", '"planted"', /quotes/],
        ["secretId", "'planted'", /quotes/],
        ["token", "planted\nplanted", /several words/],
        ["jwt", "planted", /no JWT/],
        ["jwt", `${jwt}.planted.planted`, /no JWT/],
        ["text", " \n", /empty/],
        ["token", "planted".repeat(200_000), /larger than 1 MiB/],
        ["token", "<html>planted", /web page/],
        ["text", Buffer.from([...Buffer.from("planted"), 0xc3, 0x28]), /not UTF-8/],
        ["text", Buffer.from("planted-ü", "latin1"), /not UTF-8/],
    ];
    for (const [kind, content, says] of contents) {
        const shown = typeof content === "string" ? JSON.stringify(content.slice(0, 30)) : "UTF-16";
        it(`is refused as ${kind} without a quotation: ${shown} (${says.source})`, async () => {
            const text = content.toString();
            const sources = text.length > 1e6 || content !== text ? [] : [{ variable: "SECRET" }];
            for (const source of [{ file: file(content) }, ...sources]) {
                const { message, hint, code } = await failureOf(read(kind, source, { SECRET: text }), StatecraftError);
                assert.match(`${message}. ${hint}`, says);
                assert.equal(code, "login");
                assert(!`${message}${hint}`.includes("planted"), message);
            }
        });
    }

    const places: [what: string, prepare: (path: string) => unknown, says: RegExp][] = [
        ["a folder", (path) => mkdirSync(path), /is a folder/],
        ["a FIFO", (path) => execFileSync("mkfifo", [path]), /no regular file/],
        ["a device", (path) => symlinkSync("/dev/zero", path), /no regular file/],
        ["a link to nothing", (path) => symlinkSync(`${path}-none`, path), /does not exist/],
        ["absent", () => undefined, /does not exist/],
    ];
    for (const [what, prepare, says] of places) {
        it(`is refused if the file is ${what}`, async () => {
            const path = join(home, "place");
            prepare(path);
            const { message } = await failureOf(read("token", { file: "~/place" }), StatecraftError);
            assert.match(message, says);
            assert(message.includes("~/place"), message);
            rmSync(path, { recursive: true, force: true });
        });
    }

    it("is refused with the reason if this user may not read the file", async () => {
        if (process.getuid?.() === 0) process.seteuid?.(65_534);
        const path = join(tmpdir(), `unreadable-${process.pid}`);
        try {
            writeFileSync(path, "planted");
            chmodSync(path, 0);
            const { message } = await failureOf(read("token", { file: path }), StatecraftError);
            assert.match(message, /EACCES/);
        } finally {
            rmSync(path, { force: true });
            if (process.getuid?.() === 0) process.seteuid?.(0);
        }
    });

    const names: [source: "file" | "variable", name: string, isShown: boolean][] = [
        ["file", "3f2a9d64-77aa-4b1c-9d43-0b1f6c1d2e3f", false],
        ["file", "planted8Q~bdd1.with-digits-0123", false],
        ["file", "hvs.plantedplanted", false],
        ["file", "planted battery staple", false],
        ["file", "Pl4nted&3", false],
        ["file", "/wPlanted/K7MDENG/bPxRfiCY", false],
        ["file", "planted\0planted", false],
        ["file", "./token-of-2030-01-01-planted", true],
        ["file", "~/0123456789abcdef", true],
        ["file", "jwt.txt", true],
        ["variable", "ghp_planted16C7e42F292c6912E7710c838", false],
        ["variable", "constructor", false],
        ["variable", "__proto__", false],
        ["variable", "PLANTED_2", true],
    ];
    for (const [source, name, isShown] of names) {
        it(`is ${isShown ? "" : "not "}named by the absent ${source} ${JSON.stringify(name)}`, async () => {
            const { message } = await failureOf(read("text", { [source]: name }), StatecraftError);
            assert.equal(message.includes(name), isShown, message);
        });
    }

    it("is read to its end from a file that gives its content in pieces", async function () {
        const pieces = "/proc/self/maps";
        if (!existsSync(pieces)) return this.skip();
        const text = await read("text", { file: pieces });
        assert.equal(
            text.split("\n").at(-1)?.includes("[vsyscall]"),
            readFileSync(pieces, "utf8").includes("[vsyscall]"),
        );
        assert(text.length > 4096);
    });

    it("ends at the signal, before and while the file is read", async () => {
        const early = AbortSignal.abort();
        assert.match(
            (await failureOf(read("token", { file: file("a") }, {}, early), StatecraftError)).message,
            /in time/,
        );
    });
});
