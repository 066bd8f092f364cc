import type { ReadonlySignal } from '@preact/signals';
import { createPoll, type Poll } from '../../client/poll.ts';
import type { SandboxCalls } from '../../client/sandbox-calls.ts';
import { createPolled } from './polled.ts';
import type { Route, SectionId } from './route.ts';
import { createSandboxTime, type SandboxTime } from './sandbox-time.ts';

const createAllPolled = (calls: SandboxCalls, actionCount: () => number) => ({
  clock: createPolled(calls.readClock, actionCount),
  faults: createPolled(calls.listFaults, actionCount),
  delivery: createPolled(calls.readCallbackDelivery, actionCount),
  payments: createPolled(calls.listPayments, actionCount),
  'checkout-links': createPolled(calls.listCheckoutLinks, actionCount),
  'dedicated-accounts': createPolled(calls.listDedicatedAccounts, actionCount),
  payouts: createPolled(calls.listPayouts, actionCount),
  invoices: createPolled(calls.listInvoices, actionCount),
  'tax-rates': createPolled(calls.listTaxRates, actionCount),
  apps: createPolled(calls.listApps, actionCount),
  callbacks: createPolled(calls.listCallbacks, actionCount),
  requests: createPolled(calls.listRequests, actionCount),
});
type AllPolled = ReturnType<typeof createAllPolled>;
type PolledName = keyof AllPolled;

/** Always refreshed: small, and shown in every section. */
const always: readonly PolledName[] = ['clock', 'faults', 'delivery'];

/** What the list of a section needs in addition. */
const shownInList: Partial<Record<SectionId, readonly PolledName[]>> = {
  'checkout-links': ['payments'],
};

/** What the details of a section's records need in addition. */
const shownInDetails: Partial<Record<SectionId, readonly PolledName[]>> = {
  payments: ['callbacks'],
  'checkout-links': ['callbacks'],
  'dedicated-accounts': ['callbacks'],
  payouts: ['callbacks'],
  invoices: ['callbacks'],
};

export type SandboxData = {
  /** The sandbox's data. */
  data: AllPolled;
  connection: Poll['connection'];
  time: Pick<SandboxTime, 'nowSeconds'>;
  /** Starts polling, for the lifetime of the page. */
  start: () => void;
  /** Refreshes everything; to be called after each action. */
  refreshAll: () => void;
};

export type SandboxDataOptions = {
  calls: SandboxCalls;
  route: ReadonlySignal<Route>;
  page: Pick<Document, 'hidden' | 'addEventListener'>;
};

/** Polls the sandbox, most often for what is on the screen. */
export function pollSandbox({ calls, route, page }: SandboxDataOptions): SandboxData {
  const time = createSandboxTime(() => performance.now());
  let actions = 0;
  let isAllWanted = true;
  let refreshes = 0;
  const data = createAllPolled(calls, () => actions);
  const names = Object.keys(data) as PolledName[];

  /** Names what is on the screen and one more in turn, so that every count is at most a few seconds old. */
  function namesToRefresh(): Iterable<PolledName> {
    if (isAllWanted) return names;
    const { section, id } = route.value;
    const shown = [...names.filter((name) => name === section), ...(shownInList[section] ?? [])];
    const inTurn = names[refreshes++ % names.length] ?? 'clock';
    return new Set([...always, ...shown, ...((id !== undefined && shownInDetails[section]) || []), inTurn]);
  }

  async function refresh(): Promise<void> {
    const wanted = namesToRefresh();
    isAllWanted = false;
    try {
      await Promise.all(Array.from(wanted, (name) => data[name].refresh()));
    } catch (error) {
      isAllWanted = true;
      throw error;
    }
    const clock = data.clock.latest.value;
    if (clock !== undefined) time.set(clock.now, clock.frozen);
  }

  const { connection, update } = createPoll({ refresh, page, isVisible: () => !page.hidden });

  return {
    data,
    connection,
    time,
    start() {
      route.subscribe(update);
      setInterval(time.tick, 250);
    },
    refreshAll() {
      actions += 1;
      isAllWanted = true;
      update();
    },
  };
}
