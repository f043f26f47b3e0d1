import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();
process.on("exit", () => folders.forEach(removeFolder));

/** Creates a folder, which is removed when the process ends. */
export function temporaryFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), "statecraft-test-"));
    folders.add(folder);
    return folder;
}

/** Removes a temporary folder before the end of the process. */
export function removeFolder(folder: string): void {
    rmSync(folder, { recursive: true, force: true });
    folders.delete(folder);
}
