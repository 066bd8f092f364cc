import type { Wait } from '../../core/time.ts';
import { noLongerNeeded } from '../wait.ts';

/** A wait for a change of one payment. */
export type Waiter = ReturnType<typeof createWaiter>['waiter'];

/** The longest wait, and the signal that aborts when the browser has gone. */
export type WaitLimit = { ms: number; signal: AbortSignal };

/** Begins a wait. `hear` announces a change, `cutShort` ends the wait, and `onLeave` is called once it is left. */
export function createWaiter(wait: Wait, { ms, signal }: WaitLimit, onLeave: () => void) {
  const left = new AbortController();
  let end: 'over' | 'cutShort' | undefined;
  let hasNews = false;
  let wake = (): void => {};
  const endAs = (how: 'over' | 'cutShort'): void => {
    end ??= how;
    wake();
  };
  const endNow = (): void => endAs('over');
  wait(ms, left.signal).then(endNow, () => {});
  if (signal.aborted) endNow();
  else signal.addEventListener('abort', endNow, { once: true });

  const waiter = {
    /** Whether the wait has ended: its time is over, it was cut short, or the browser has gone. */
    hasEnded: () => end !== undefined,
    /** `cutShort`: ended early, because the server stops. */
    hold: (): 'held' | 'cutShort' => (end === 'cutShort' ? 'cutShort' : 'held'),
    /** Forgets the changes announced so far: call it before each read of the store. */
    forgetNews(): void {
      hasNews = false;
    },
    /** Resolves with `work`; with `undefined` after `forMs`, when a change of the payment is announced, or when the wait has ended. */
    async sleep<T>(forMs: number, work?: Promise<T>): Promise<T | undefined> {
      // Its result may come too late for anybody.
      work?.catch(() => {});
      if (hasNews || end !== undefined) return undefined;
      const woken = new AbortController();
      wake = () => woken.abort(noLongerNeeded);
      const slept = wait(forMs, woken.signal).then(
        () => undefined,
        () => undefined,
      );
      return work === undefined ? slept : Promise.race([work, slept]).finally(wake);
    },
    /** Must be called in the end. */
    leave(): void {
      left.abort(noLongerNeeded);
      signal.removeEventListener('abort', endNow);
      onLeave();
    },
  };
  const hear = (): void => {
    hasNews = true;
    wake();
  };
  return { waiter, hear, cutShort: () => endAs('cutShort') };
}
