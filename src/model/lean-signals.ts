/**
 * The part of @preact/signals that the widget uses, in our own few lines: what the script tag loads in its place. It runs the
 * same effects in the same order; a test holds the two together. Nothing is computed, nothing is cleaned up after an
 * effect, and no component is drawn anew: what is on the screen is drawn by an effect.
 */
export type Signal<T> = {
  value: T;
  /** Reads without being run again. */
  readonly peek: () => T;
};

/** Runs an effect again, if what it has read is not what it was. */
type Rerun = () => void;

/** Notes for the effect that is running what it reads. */
let note: ((readers: Set<Rerun>, peek: () => unknown) => void) | undefined;
let waiting: Rerun[] = [];
const told = new Set<Rerun>();

export function signal<T>(first: T): Signal<T> {
  const readers = new Set<Rerun>();
  const peek = (): T => held;
  let held = first;
  return {
    get value() {
      note?.(readers, peek);
      return held;
    },
    set value(next) {
      if (next === held) return;
      held = next;
      // As there: what was told last is run first, unless it waits already.
      const news = [...readers].filter((rerun) => !told.has(rerun));
      for (const rerun of news) told.add(rerun);
      waiting.unshift(...news);
      runWaiting();
    },
    peek,
  };
}

/** Runs `act` now, and again whenever a signal changes that it has read, until the returned function is called. */
export function effect(act: () => void): () => void {
  /** Of each signal that was read when it was last run: how to read it, and what it was at first. */
  let read = new Map<Set<Rerun>, readonly [() => unknown, unknown]>();
  const known = new Set<Set<Rerun>>();
  let isOver = false;
  const run = (): void => {
    const outer = note;
    read = new Map();
    note = (readers, peek) => {
      if (read.has(readers)) return;
      read.set(readers, [peek, peek()]);
      known.add(readers);
      readers.add(rerun);
    };
    try {
      act();
    } finally {
      note = outer;
    }
  };
  const rerun = (): void => {
    told.delete(rerun);
    if (!isOver && [...read.values()].some(([peek, value]) => peek() !== value)) run();
  };
  const stop = (): void => {
    isOver = true;
    // A signal that lives on must not hold an effect that is over.
    for (const readers of known) readers.delete(rerun);
  };
  try {
    run();
  } catch (failure) {
    stop();
    throw failure;
  } finally {
    runWaiting();
  }
  return stop;
}

/** Unless an effect is running: what it changes is told when it is done. */
function runWaiting(): void {
  let failed: readonly [unknown] | undefined;
  while (!note && waiting.length > 0) {
    const now = waiting;
    waiting = [];
    for (const rerun of now) {
      try {
        rerun();
      } catch (failure) {
        failed ??= [failure];
      }
    }
  }
  if (failed) throw failed[0];
}
