export type PollOptions = {
  /** One look. Must not reject. */
  look: () => Promise<void>;
  /** How long to wait after a look, in milliseconds. */
  delayMs: () => number;
  page: Pick<Document, 'hidden' | 'addEventListener'>;
};

/**
 * Looks again and again while the page is visible, one look at a time.
 *
 * @returns a function that looks now; during a look, it asks for another right after it
 */
export function pollWhileVisible({ look, delayMs, page }: PollOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;
  let isLookWanted = false;

  async function run(): Promise<void> {
    clearTimeout(timer);
    if (isLooking) {
      isLookWanted = true;
      return;
    }
    isLooking = true;
    do {
      isLookWanted = false;
      await look();
    } while (isLookWanted);
    isLooking = false;
    if (!page.hidden) timer = setTimeout(run, delayMs());
  }

  page.addEventListener('visibilitychange', () => {
    if (page.hidden) clearTimeout(timer);
    else run();
  });
  if (!page.hidden) run();
  return run;
}
