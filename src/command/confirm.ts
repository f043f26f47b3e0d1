/** The question before a command changes something. */

import { createInterface } from "node:readline";
import { StatecraftError } from "../errors";

/**
 * Asks on the terminal, unless `isAnswered`. Resolves with false if there is no terminal.
 * @throws StatecraftError for any other answer than `yes`. @param undone what the command has not done then
 */
export async function isConfirmed(question: string, undone: string, isAnswered = false): Promise<boolean> {
    if (isAnswered) return true;
    if (!process.stdin.isTTY) return false;
    if ((await answerTo(question)) === "yes") return true;
    throw new StatecraftError("cancelled", undone);
}

/** The answer on the terminal. Empty at the end of the input. */
async function answerTo(question: string): Promise<string> {
    process.stderr.write(`${question} Type yes: `);
    const lines = createInterface({ input: process.stdin });
    let answer = "";
    for await (const line of lines) {
        answer = line.trim();
        break;
    }
    // A terminal that is read keeps the process alive.
    process.stdin.pause();
    return answer;
}
