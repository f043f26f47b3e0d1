/** Keeps a store: in memory, or in a file that processes one after the other share. The file is JSON in clear; only its owner may read it. */

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isObject, parsed } from "./json";
import type { TokenSeed } from "./seed";
import { addTokens, newStore, type Store } from "./store";

/** The first line of a data file. */
const notice = "This file may hold secrets: tokens, credentials, states. Only its owner may read it.";

/** A store and the way to keep it. */
export interface KeptStore {
    readonly store: Store;
    /** Whether it was made just now. */
    readonly isNew: boolean;
    /** Writes the store to its file, if it has one. Throws if it cannot, and if another process has written the file meanwhile. */
    save(): void;
}

/** Opens a store; a file that does not exist yet is made by the first save. These tokens are known beside the store's, and not kept in the file. */
export function openStore(file: string | undefined, tokens: readonly TokenSeed[]): KeptStore {
    // Taken before the file is read, so that no write in between goes unseen.
    let version = file === undefined ? undefined : versionOf(file);
    const kept = file === undefined ? undefined : read(file);
    const store = kept ?? newStore();
    addTokens(store, tokens);
    // The command's tokens: the next start may have others, or none.
    const given = new Set(tokens.map(({ token }) => token));
    return {
        store,
        isNew: kept === undefined,
        save: () => {
            if (file === undefined) return;
            const found = versionOf(file);
            // Another process has a store of its own: each would undo what the other does.
            if (found !== undefined && found !== version) {
                throw new Error(`another process has written the data file ${file}: end that one or this one`);
            }
            write(file, { ...store, tokens: store.tokens.filter(({ token }) => !given.has(token)) });
            version = versionOf(file);
        },
    };
}

/** Differs from write to write; nothing where there is no file. */
function versionOf(file: string): string | undefined {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found && `${found.ino} ${found.mtimeNs} ${found.size}`;
}

function read(file: string): Store | undefined {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    const content = parsed(readFileSync(file));
    const kept = isObject(content) ? content["store"] : undefined;
    if (!isStore(kept)) throw new Error(`the data file ${file} holds no objects of this simulator`);
    // What a newer simulator has and the file lacks begins empty, in each service's part as well.
    const empty = newStore();
    return {
        ...empty,
        ...kept,
        manager: { ...empty.manager, ...kept.manager },
        volumes: { ...empty.volumes, ...kept.volumes },
        stateVersions: { ...empty.stateVersions, ...kept.stateVersions },
    };
}

function isStore(value: unknown): value is Store {
    return isObject(value) && typeof value["id"] === "string" && "manager" in value && Array.isArray(value["tokens"]);
}

/** A reader sees the old content or the new one, never a half. */
function write(file: string, store: Store): void {
    const temporary = `${file}.${process.pid}.tmp`;
    mkdirSync(dirname(file), { recursive: true });
    try {
        const text = `{"notice":${JSON.stringify(notice)},\n"store":${JSON.stringify(store)}}\n`;
        // In a folder that many share, somebody may have put a file or a link of their own under this name.
        rmSync(temporary, { force: true });
        writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
        renameSync(temporary, file);
    } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
    }
}
