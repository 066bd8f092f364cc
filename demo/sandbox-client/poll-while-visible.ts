export type PollOptions = {
  /** Refreshes once. Must not reject. */
  refresh: () => Promise<void>;
  /** The delay after a refresh, in milliseconds. */
  delayMs: () => number;
  page: Pick<Document, 'hidden' | 'addEventListener'>;
};

/**
 * Refreshes repeatedly while the page is visible, one refresh at a time.
 *
 * @returns a function that refreshes now; during a refresh, it requests another one right after it
 */
export function pollWhileVisible({ refresh, delayMs, page }: PollOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRefreshing = false;
  let isRefreshWanted = false;

  async function run(): Promise<void> {
    clearTimeout(timer);
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
    if (!page.hidden) timer = setTimeout(run, delayMs());
  }

  page.addEventListener('visibilitychange', () => {
    if (page.hidden) clearTimeout(timer);
    else run();
  });
  if (!page.hidden) run();
  return run;
}
