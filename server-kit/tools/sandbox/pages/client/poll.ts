import { type ReadonlySignal, signal } from '@preact/signals';

/** Whether the last refresh succeeded. */
export type Connection = 'connecting' | 'live' | 'lost';

export type Poll = ReturnType<typeof createPoll>;

const delaysMs = { live: 1000, lost: 3000 };

/**
 * Creates a poll that refreshes each second while its result is visible, one refresh at a time.
 *
 * @param refresh rejects if there is no response
 * @param isVisible whether the visitor can see what is refreshed
 */
export function createPoll({
  refresh,
  page,
  isVisible,
}: {
  refresh: () => Promise<void>;
  page: Pick<Document, 'addEventListener'>;
  isVisible: () => boolean;
}) {
  const connection = signal<Connection>('connecting');
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
    let state: 'live' | 'lost';
    do {
      isRefreshWanted = false;
      state = await refresh().then(
        () => 'live',
        () => 'lost',
      );
      connection.value = state;
    } while (isRefreshWanted);
    isRefreshing = false;
    if (isVisible()) timer = setTimeout(run, delaysMs[state]);
  }

  page.addEventListener('visibilitychange', run);
  return {
    connection: connection as ReadonlySignal<Connection>,
    /** Starts the poll, refreshes now (also right after a refresh in progress), or stops when it is no longer visible. */
    update: run,
  };
}
