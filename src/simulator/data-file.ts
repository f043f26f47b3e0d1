/** Where a world is kept: in memory, or in a file that processes one after the other share. */

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { TokenSeed } from "./seed";
import { addTokens, newWorld, type World } from "./store";

/** A world and the way to keep it. */
export interface Store {
    readonly world: World;
    /** Whether it was made just now. */
    readonly isNew: boolean;
    /** Writes the world to its file, if it has one. Throws why it cannot, and if another process has written the file meanwhile. */
    save(): void;
}

/** Opens a world. A file that does not exist yet is one to be made. The tokens are known beside those of the world, and not kept in the file. */
export function openStore(file: string | undefined, tokens: readonly TokenSeed[]): Store {
    // Before it is read, so that no writing in between goes unseen.
    let mark = file === undefined ? undefined : markOf(file);
    const kept = file === undefined ? undefined : read(file);
    const world = kept ?? newWorld([]);
    addTokens(world, tokens);
    // These are the command's, which may be called with others or none the next time.
    const given = new Set(tokens.map(({ token }) => token));
    return {
        world,
        isNew: kept === undefined,
        save: () => {
            if (file === undefined) return;
            const found = markOf(file);
            // Whoever else wrote it has a world of its own: each would undo what the other does.
            if (found !== undefined && found !== mark) {
                throw new Error(`another process has written the data file ${file}: end that one or this one`);
            }
            write(file, { ...world, tokens: world.tokens.filter(({ token }) => !given.has(token)) });
            mark = markOf(file);
        },
    };
}

/** What tells one writing of a file from another; nothing where there is no file. */
function markOf(file: string): string | undefined {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found && `${found.ino} ${found.mtimeNs} ${found.size}`;
}

function read(file: string): World | undefined {
    let text: string;
    try {
        text = readFileSync(file, "utf8");
    } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
    }
    const kept = worldIn(text);
    if (kept === undefined) throw new Error(`the data file ${file} holds no world of this simulator`);
    // What a newer simulator has and the file lacks begins empty, in each service's part as well.
    const empty = newWorld([]);
    return {
        ...empty,
        ...kept,
        manager: { ...empty.manager, ...kept.manager },
        volumes: { ...empty.volumes, ...kept.volumes },
        stateVersions: { ...empty.stateVersions, ...kept.stateVersions },
    };
}

function worldIn(text: string): World | undefined {
    try {
        const { store }: { store?: unknown } = JSON.parse(text);
        return isWorld(store) ? store : undefined;
    } catch {
        return undefined;
    }
}

function isWorld(value: unknown): value is World {
    return (
        typeof value === "object" &&
        value !== null &&
        "id" in value &&
        typeof value.id === "string" &&
        "manager" in value &&
        "tokens" in value &&
        Array.isArray(value.tokens)
    );
}

/** The first line of a data file. */
const notice = "This file may hold secrets: tokens, credentials, states. Only its owner may read it.";

/** A reader sees the old content or the new one, never a half. */
function write(file: string, store: World): void {
    const temporary = `${file}.${process.pid}.tmp`;
    mkdirSync(dirname(file), { recursive: true });
    try {
        const text = `{"notice":${JSON.stringify(notice)},\n"store":${JSON.stringify(store)}}\n`;
        writeFileSync(temporary, text, { mode: 0o600 });
        renameSync(temporary, file);
    } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
    }
}
