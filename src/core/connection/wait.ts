import type { Environment } from './environment.ts';

/** Resolves after `ms` milliseconds (never, when left out), or as soon as the signal is aborted. Never rejects: check the signal. */
export function wait(environment: Environment, signal: AbortSignal, ms?: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      cancel?.();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = ms === undefined ? undefined : environment.setTimer(finish, ms);
    signal.addEventListener('abort', finish);
  });
}

/** Resolves when somebody can see the page, or as soon as the signal is aborted. */
export async function untilVisible(environment: Environment, signal: AbortSignal): Promise<void> {
  if (!environment.isHidden()) return;
  const { controller, release } = linkAbort(signal);
  const stop = environment.observe(['visibilitychange', 'pageshow'], () => {
    if (!environment.isHidden()) controller.abort();
  });
  await wait(environment, controller.signal);
  stop();
  release();
}

/** Settles as `work`, or rejects as soon as the signal is aborted: a page may have wrapped `fetch` in a function that ignores it. */
export function orAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
    work.then(resolve, reject);
  });
}

/** Creates an AbortController that also aborts with `parent`, until `release` is called. */
export function linkAbort(parent: AbortSignal): { controller: AbortController; release: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (parent.aborted) abort();
  parent.addEventListener('abort', abort);
  return { controller, release: () => parent.removeEventListener('abort', abort) };
}
