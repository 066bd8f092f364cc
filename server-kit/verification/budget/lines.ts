/**
 * - `callback`: a callback has named the payment
 * - `waiting`: a shopper waits for the payment
 * - `due`: nobody waits, but the payment is verified from time to time
 */
export type Priority = 'callback' | 'waiting' | 'due';

/** The queued verifications by reference, in the order in which they start. */
export type Lines<Entry> = {
  get: (reference: string) => Entry | undefined;
  /** Adds an entry at the end of its line, and removes it from any other line. */
  put: (reference: string, priority: Priority, entry: Entry) => void;
  /** Removes and returns the next one. */
  next: () => readonly [reference: string, entry: Entry] | undefined;
  remove: (reference: string) => void;
  size: () => number;
  /** Returns all of them, in no order. */
  list: () => (readonly [reference: string, entry: Entry])[];
};

/** Every fourth start goes to a payment that no callback names, and every fourth of these to one that nobody waits for. */
const turns = 4;

/**
 * Creates one first-in-first-out line per priority. Payments named by callbacks come first, but a quarter of the starts is
 * reserved for the others: their callbacks may be late or lost, and they must not wait forever.
 */
export function createLines<Entry>(): Lines<Entry> {
  const lines: Record<Priority, Map<string, Entry>> = {
    callback: new Map(),
    waiting: new Map(),
    due: new Map(),
  };
  const all = Object.entries(lines) as [Priority, Map<string, Entry>][];
  const takesSecond = (first: Priority, second: Priority, isTurn: () => boolean): Priority => {
    if (lines[first].size === 0) return second;
    return lines[second].size > 0 && isTurn() ? second : first;
  };
  const isUnnamedTurn = createTurn();
  const isDueTurn = createTurn();

  return {
    get: (reference) => all.map(([, line]) => line.get(reference)).find((entry) => entry !== undefined),
    put(reference, priority, entry) {
      for (const [, line] of all) line.delete(reference);
      lines[priority].set(reference, entry);
    },
    next() {
      const unnamed: Priority = lines.waiting.size > 0 ? 'waiting' : 'due';
      const first = takesSecond('callback', unnamed, isUnnamedTurn);
      const priority = first === 'waiting' ? takesSecond('waiting', 'due', isDueTurn) : first;
      for (const [reference, entry] of lines[priority]) {
        lines[priority].delete(reference);
        return [reference, entry];
      }
      return undefined;
    },
    remove(reference) {
      for (const [, line] of all) line.delete(reference);
    },
    size: () => all.reduce((sum, [, line]) => sum + line.size, 0),
    list: () => all.flatMap(([, line]) => [...line]),
  };
}

/** Returns true at every fourth call. */
function createTurn(): () => boolean {
  let calls = 0;
  return () => ++calls % turns === 0;
}
