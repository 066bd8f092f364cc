import { type ReadonlySignal, signal } from '@preact/signals';

/** Whether the last refresh succeeded. */
export type Connection = 'connecting' | 'live' | 'lost';

type PollOptions = {
  /** Refreshes once. Rejects if there is no response. */
  refresh: () => Promise<void>;
  page: Pick<Document, 'addEventListener'>;
  /** Whether the visitor can see what is refreshed. */
  isVisible: () => boolean;
};

export type Poll = {
  connection: ReadonlySignal<Connection>;
  /** Starts the poll, refreshes now, or stops when it is no longer visible. During a refresh, it requests another one right after it. */
  update: () => void;
};

const delaysMs = { live: 1000, lost: 3000 };

/** Creates a poll that refreshes each second while its result is visible, one refresh at a time. */
export function createPoll({ refresh, page, isVisible }: PollOptions): Poll {
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
  return { connection, update: run };
}
