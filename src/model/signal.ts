/**
 * A value that runs those who have read it when it changes. What libraries offer beside this would be an eighth of all
 * that a shopper's browser may load before the account number shows.
 */
export type Signal<T> = {
  value: T;
  /** Reads without being run again. */
  readonly peek: () => T;
};
export type ReadonlySignal<T> = { readonly value: T; readonly peek: () => T };

type Reader = { readonly run: () => void; readonly read: Set<Set<Reader>> };

let reader: Reader | undefined;

export function signal<T>(first: T): Signal<T> {
  const readers = new Set<Reader>();
  let held = first;
  return {
    get value() {
      if (reader) {
        readers.add(reader);
        reader.read.add(readers);
      }
      return held;
    },
    set value(next) {
      if (next === held) return;
      held = next;
      for (const { run } of [...readers]) run();
    },
    peek: () => held,
  };
}

/** Runs `act` now, and again whenever a signal changes that it has read, until the returned function is called. */
export function effect(act: () => void): () => void {
  const self: Reader = {
    run() {
      const outer = reader;
      reader = self;
      try {
        act();
      } finally {
        reader = outer;
      }
    },
    read: new Set(),
  };
  self.run();
  return () => {
    for (const readers of self.read) readers.delete(self);
  };
}
