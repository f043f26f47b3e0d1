/** Where a world is kept: in memory, or in a file that processes one after the other share. */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { TokenSeed } from "./route";
import { addTokens, newWorld, type World } from "./world";

/** A world and the way to keep it. */
export interface Store {
    readonly world: World;
    /** Whether it was made just now. */
    readonly isNew: boolean;
    /** Writes the world to its file, if it has one. */
    save(): void;
}

/** Opens a world. A file that does not exist yet is one to be made. */
export function openStore(file: string | undefined, tokens: readonly TokenSeed[]): Store {
    const kept = file === undefined ? undefined : read(file);
    const world = kept ?? newWorld([]);
    addTokens(world, tokens);
    return {
        world,
        isNew: kept === undefined,
        save: () => {
            if (file !== undefined) write(file, world);
        },
    };
}

function read(file: string): World | undefined {
    let text: string;
    try {
        text = readFileSync(file, "utf8");
    } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
    }
    const kept = parse(text);
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

function parse(text: string): World | undefined {
    try {
        const value: unknown = JSON.parse(text);
        return isWorld(value) ? value : undefined;
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

/** A reader sees the old world or the new one, never a half. Only the owner may read it: it holds tokens and credentials. */
function write(file: string, world: World): void {
    const temporary = `${file}.${process.pid}.tmp`;
    mkdirSync(dirname(file), { recursive: true });
    try {
        writeFileSync(temporary, `${JSON.stringify(world, undefined, 2)}\n`, { mode: 0o600 });
        renameSync(temporary, file);
    } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
    }
}
