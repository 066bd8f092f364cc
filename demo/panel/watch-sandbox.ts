import { type ReadonlySignal, signal } from '@preact/signals';
import type { Place, SectionId } from './place.ts';
import { type PollOptions, pollWhileVisible } from './poll-while-visible.ts';
import type { SandboxCalls } from './sandbox-calls.ts';
import { createSandboxTime, type SandboxTime } from './sandbox-time.ts';
import { createWatched } from './watched.ts';

const createAllWatched = (calls: SandboxCalls, actionCount: () => number) => ({
  clock: createWatched(calls.readClock, actionCount),
  faults: createWatched(calls.listFaults, actionCount),
  delivery: createWatched(calls.readCallbackDelivery, actionCount),
  payments: createWatched(calls.listPayments, actionCount),
  'checkout-links': createWatched(calls.listCheckoutLinks, actionCount),
  'dedicated-accounts': createWatched(calls.listDedicatedAccounts, actionCount),
  payouts: createWatched(calls.listPayouts, actionCount),
  invoices: createWatched(calls.listInvoices, actionCount),
  'tax-rates': createWatched(calls.listTaxRates, actionCount),
  apps: createWatched(calls.listApps, actionCount),
  callbacks: createWatched(calls.listCallbacks, actionCount),
  requests: createWatched(calls.listRequests, actionCount),
});
type AllWatched = ReturnType<typeof createAllWatched>;
type WatchedName = keyof AllWatched;

/** Looked at each time: they are small, and shown on every section. */
const always: readonly WatchedName[] = ['clock', 'faults', 'delivery'];

/** What a section's list shows besides. */
const shownInList: Partial<Record<SectionId, readonly WatchedName[]>> = {
  'checkout-links': ['payments'],
};

/** What the details of a section's records show besides. */
const shownInDetails: Partial<Record<SectionId, readonly WatchedName[]>> = {
  payments: ['callbacks'],
  'checkout-links': ['callbacks'],
  'dedicated-accounts': ['callbacks'],
  payouts: ['callbacks'],
  invoices: ['callbacks'],
};

export type SandboxWatch = {
  /** Everything that the panel knows of the sandbox. */
  watched: AllWatched;
  connection: ReadonlySignal<'connecting' | 'live' | 'lost'>;
  time: Pick<SandboxTime, 'nowSeconds'>;
  /** Begins to look at the sandbox, for as long as the page lives. */
  start: () => void;
  /** To be called after each action: looks at everything anew. */
  noteAction: () => void;
};

export type SandboxWatchOptions = {
  calls: SandboxCalls;
  place: ReadonlySignal<Place>;
  page: PollOptions['page'];
};

/** Looks at the sandbox again and again: most often at what is on the screen. */
export function watchSandbox({ calls, place, page }: SandboxWatchOptions): SandboxWatch {
  const connection = signal<'connecting' | 'live' | 'lost'>('connecting');
  const time = createSandboxTime(() => performance.now());
  let actions = 0;
  let isAllWanted = true;
  let looks = 0;
  let lookNow = (): void => {};
  const watched = createAllWatched(calls, () => actions);
  const names = Object.keys(watched) as WatchedName[];

  /** What is on the screen, and one more in turn, so that each count is a few seconds old at most. */
  function namesToLookAt(): Iterable<WatchedName> {
    if (isAllWanted) return names;
    const { section, id } = place.value;
    const shown = [...names.filter((name) => name === section), ...(shownInList[section] ?? [])];
    const inTurn = names[looks++ % names.length] ?? 'clock';
    return new Set([...always, ...shown, ...((id !== undefined && shownInDetails[section]) || []), inTurn]);
  }

  async function look(): Promise<void> {
    const wanted = namesToLookAt();
    isAllWanted = false;
    try {
      await Promise.all(Array.from(wanted, (name) => watched[name].look()));
      const clock = watched.clock.latest.value;
      if (clock !== undefined) time.set(clock.now, clock.frozen);
      connection.value = 'live';
    } catch {
      isAllWanted = true;
      connection.value = 'lost';
    }
  }

  return {
    watched,
    connection,
    time,
    start() {
      lookNow = pollWhileVisible({ look, delayMs: () => (connection.value === 'lost' ? 3000 : 1000), page });
      place.subscribe(() => lookNow());
      setInterval(time.tick, 250);
    },
    noteAction() {
      actions += 1;
      isAllWanted = true;
      lookNow();
    },
  };
}
