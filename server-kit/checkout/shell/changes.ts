import type { OnChange, Store } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';

export type Changes = ReturnType<typeof createChanges>;

/**
 * Creates the notifications of changed records: those that this instance writes, and those of other instances that the store hears of.
 * It listens to the store from the first subscription on.
 */
export function createChanges(store: Pick<Store, 'subscribe'>, log: Log) {
  const listeners = new Set<OnChange>();
  const emit: OnChange = (reference) => {
    for (const listener of listeners) listener(reference);
  };
  let unsubscribe: (() => void) | undefined;
  return {
    emit,
    /** Returns what ends the subscription. */
    subscribe(listener: OnChange): () => void {
      unsubscribe ??= store.subscribe?.(emit, (error) => log({ type: 'changesMissed', error }));
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Stops listening to the store. */
    end: (): void => unsubscribe?.(),
  };
}
