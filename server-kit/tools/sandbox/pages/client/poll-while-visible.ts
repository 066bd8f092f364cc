export type PollOptions = {
  /** Refreshes once. Must not reject. */
  refresh: () => Promise<void>;
  /** The delay after a refresh, in milliseconds. */
  delayMs: () => number;
  page: Pick<Document, 'addEventListener'>;
  /** Whether the visitor can see what is refreshed. */
  isVisible: () => boolean;
};

/**
 * Refreshes repeatedly while its result is visible, one refresh at a time.
 *
 * @returns a function that refreshes now, or stops when nobody can see it any more; during a refresh, it requests another one right
 *   after it
 */
export function pollWhileVisible({ refresh, delayMs, page, isVisible }: PollOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRefreshing = false;
  let isRefreshWanted = false;

  async function run(): Promise<void> {
    clearTimeout(timer);
    if (!isVisible()) return;
    if (isRefreshing) {
      isRefreshWanted = true;
      return;
    }
    isRefreshing = true;
    do {
      isRefreshWanted = false;
      await refresh();
    } while (isRefreshWanted);
    isRefreshing = false;
    if (isVisible()) timer = setTimeout(run, delayMs());
  }

  page.addEventListener('visibilitychange', run);
  run();
  return run;
}
