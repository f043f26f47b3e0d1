/** Finds pieces of secrets in other texts, with a rolling hash. Each text is read once, so the time does not depend on the number of pieces. */

/** Multipliers of the rolling hash and of its spread over the table: odd, and without pattern. */
const factor = 0x2c9277b5;
const spread = 0x9e3779b1;

/** Stands between what does not belong together. UTF-8 has no such byte. */
export const gap = 0xff;

/** All pieces of one length of the texts that are added first, looked for in those that are searched then. */
export class Windows {
    private readonly texts: Uint8Array[] = [];
    private whole: Uint8Array = new Uint8Array();
    /** One more than the place of a piece in the whole, by its hash; 0 for none. */
    private table = new Int32Array(1);
    /** By slot of the table: the hash of the piece, and whether it was found. */
    private hashes = new Int32Array(1);
    private found = new Uint8Array(1);
    /** A bit for each hash that there may be: small enough to stay near the processor. */
    private filter = new Int32Array(1);
    private shift = 0;
    /** What a byte still adds to the hash when it is to leave it. */
    private readonly leaving: number;

    constructor(readonly length: number) {
        this.leaving = Array.from({ length: length - 1 }).reduce<number>((power) => Math.imul(power, factor), 1);
    }

    /** Takes a text whose pieces are to be looked for. */
    add(text: Uint8Array): void {
        if (text.length >= this.length) this.texts.push(text);
    }

    /** To be called when all texts are added. Yields between them. */
    *seal(): Generator<undefined> {
        this.whole = Buffer.concat(this.texts);
        // Of four slots, three stay empty; of sixteen bits, fifteen.
        const bits = Math.max(5, Math.ceil(Math.log2(4 * this.whole.length + 1)));
        this.table = new Int32Array(2 ** bits);
        this.hashes = new Int32Array(2 ** bits);
        this.found = new Uint8Array(2 ** bits);
        this.filter = new Int32Array(2 ** (bits + 2 - 5));
        this.shift = 32 - bits;
        let begin = 0;
        for (const text of this.texts) {
            this.addPieces(text, begin);
            begin += text.length;
            yield;
        }
    }

    /** Looks for the pieces in a text, or in a part of one. Parts overlap by the length of a piece. */
    search(text: Uint8Array): void {
        const { length, leaving, filter } = this;
        const shift = this.shift - 2;
        let hash = this.begun(text);
        for (let at = length - 1; at < text.length; at++) {
            hash = (Math.imul(hash, factor) + (text[at] ?? 0)) | 0;
            const bit = Math.imul(hash, spread) >>> shift;
            if (((filter[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) this.meet(text, at + 1, hash);
            hash = (hash - Math.imul(text[at - length + 1] ?? 0, leaving)) | 0;
        }
    }

    /** Tells the bytes of a text that was added which belong to pieces that were found, from here to there. */
    covered(text: Uint8Array, tell: (from: number, to: number) => void): void {
        this.eachPiece(text, (end, hash) => {
            const slot = this.slotOf(text, end, hash);
            if (this.table[slot] !== 0 && this.found[slot] === 1) tell(end - this.length, end);
        });
    }

    private addPieces(text: Uint8Array, begin: number): void {
        let clear = text.lastIndexOf(gap, this.length - 2) + 1;
        this.eachPiece(text, (end, hash) => {
            if (text[end - 1] === gap) clear = end;
            if (end - this.length < clear) return;
            const slot = this.slotOf(text, end, hash);
            if (this.table[slot] !== 0) return;
            this.table[slot] = begin + end - this.length + 1;
            this.hashes[slot] = hash;
            const bit = Math.imul(hash, spread) >>> (this.shift - 2);
            this.filter[bit >>> 5] = (this.filter[bit >>> 5] ?? 0) | (1 << (bit & 31));
        });
    }

    /** What ends here may be one of the pieces. One that was found already is not compared again. */
    private meet(text: Uint8Array, end: number, hash: number): void {
        const mask = this.table.length - 1;
        for (let slot = Math.imul(hash, spread) >>> this.shift; ; slot = (slot + 1) & mask) {
            const place = this.table[slot] ?? 0;
            if (place === 0) return;
            if (this.hashes[slot] !== hash || this.found[slot] === 1 || !this.isAt(place - 1, text, end)) continue;
            this.found[slot] = 1;
            return;
        }
    }

    /** The slot of the piece that ends here: its own, or the empty one where it would be. */
    private slotOf(text: Uint8Array, end: number, hash: number): number {
        const mask = this.table.length - 1;
        for (let slot = Math.imul(hash, spread) >>> this.shift; ; slot = (slot + 1) & mask) {
            const place = this.table[slot] ?? 0;
            if (place === 0 || (this.hashes[slot] === hash && this.isAt(place - 1, text, end))) return slot;
        }
    }

    private isAt(place: number, text: Uint8Array, end: number): boolean {
        const start = end - this.length;
        for (let at = 0; at < this.length; at++) if (this.whole[place + at] !== text[start + at]) return false;
        return true;
    }

    /** The hash of what stands before the last byte of the first piece. */
    private begun(text: Uint8Array): number {
        let hash = 0;
        for (let at = 0; at < this.length - 1; at++) hash = (Math.imul(hash, factor) + (text[at] ?? 0)) | 0;
        return hash;
    }

    /** Tells the end and the hash of every piece of a text. */
    private eachPiece(text: Uint8Array, tell: (end: number, hash: number) => void): void {
        let hash = this.begun(text);
        for (let at = this.length - 1; at < text.length; at++) {
            hash = (Math.imul(hash, factor) + (text[at] ?? 0)) | 0;
            tell(at + 1, hash);
            hash = (hash - Math.imul(text[at - this.length + 1] ?? 0, this.leaving)) | 0;
        }
    }
}
