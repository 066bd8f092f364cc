import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Place, SectionId } from './place.ts';
import { type PollOptions, pollWhileVisible } from './poll-while-visible.ts';
import { RefusedError, type SandboxCalls } from './sandbox-calls.ts';
import { createSandboxTime, type SandboxTime } from './sandbox-time.ts';
import { createWatched } from './watched.ts';

/** What came of the last action. `tone` is for the eye; the text says it too. */
export type Outcome = { text: string; tone: 'done' | 'problem' };

/** What an action says of itself: a text, or an outcome where it is not simply done. */
type Said = string | Outcome;

/** Whether the sandbox did it; if not, the fields that it found at fault. */
export type Result = { isDone: boolean; params: readonly string[] };

const createLists = (calls: SandboxCalls, moment: () => number) => ({
  clock: createWatched(calls.readClock, moment),
  faults: createWatched(calls.listFaults, moment),
  delivery: createWatched(calls.readCallbackDelivery, moment),
  payments: createWatched(calls.listPayments, moment),
  'dedicated-accounts': createWatched(calls.listDedicatedAccounts, moment),
  payouts: createWatched(calls.listPayouts, moment),
  invoices: createWatched(calls.listInvoices, moment),
  'tax-rates': createWatched(calls.listTaxRates, moment),
  apps: createWatched(calls.listApps, moment),
  callbacks: createWatched(calls.listCallbacks, moment),
  requests: createWatched(calls.listRequests, moment),
});
type Lists = ReturnType<typeof createLists>;
type ListName = keyof Lists;

/** Looked at each time: they are small, and shown on every section. */
const always: readonly ListName[] = ['clock', 'faults', 'delivery'];

/** What the details of a section's records show besides. */
const shownInDetails: Partial<Record<SectionId, readonly ListName[]>> = {
  payments: ['callbacks'],
  'dedicated-accounts': ['callbacks'],
  payouts: ['callbacks'],
  invoices: ['callbacks'],
};

export type PanelModel = {
  calls: SandboxCalls;
  lists: Lists;
  place: ReadonlySignal<Place>;
  connection: ReadonlySignal<'connecting' | 'live' | 'lost'>;
  outcome: ReadonlySignal<Outcome | undefined>;
  time: Pick<SandboxTime, 'nowSeconds'>;
  /** What somebody looks for in a section; kept while they are elsewhere. */
  filterOf: (section: SectionId) => Signal<string>;
  /** Begins to look at the sandbox, for as long as the page lives. */
  start: () => void;
  /** Does something to the sandbox, reports what came of it, and looks at everything anew. Never rejects. */
  act: (action: () => Promise<Said>) => Promise<Result>;
  /** Says something that happened on this page, such as a copy. */
  report: (text: string, tone?: Outcome['tone']) => void;
  dismissOutcome: () => void;
};

export type PanelModelOptions = {
  calls: SandboxCalls;
  place: ReadonlySignal<Place>;
  page: PollOptions['page'];
};

export function createPanelModel({ calls, place, page }: PanelModelOptions): PanelModel {
  const connection = signal<'connecting' | 'live' | 'lost'>('connecting');
  const outcome = signal<Outcome | undefined>(undefined);
  const filters = new Map<SectionId, Signal<string>>();
  const time = createSandboxTime(() => performance.now());
  let actions = 0;
  let isAllWanted = true;
  let looks = 0;
  let lookNow = (): void => {};
  const lists = createLists(calls, () => actions);
  const names = Object.keys(lists) as ListName[];

  /** What is on the screen, and one more in turn, so that each count is a few seconds old at most. */
  function namesToLookAt(): Iterable<ListName> {
    if (isAllWanted) return names;
    const { section, id } = place.value;
    const shown = names.filter((name) => name === section);
    const inTurn = names[looks++ % names.length] ?? 'clock';
    return new Set([...always, ...shown, ...((id !== undefined && shownInDetails[section]) || []), inTurn]);
  }

  async function look(): Promise<void> {
    const wanted = namesToLookAt();
    isAllWanted = false;
    try {
      await Promise.all(Array.from(wanted, (name) => lists[name].look()));
      const clock = lists.clock.value.value;
      if (clock !== undefined) time.set(clock.now, clock.frozen);
      connection.value = 'live';
    } catch {
      isAllWanted = true;
      connection.value = 'lost';
    }
  }

  const report: PanelModel['report'] = (text, tone = 'done') => {
    outcome.value = { text, tone };
  };

  async function act(action: () => Promise<Said>): Promise<Result> {
    let result: Result = { isDone: true, params: [] };
    try {
      const said = await action();
      outcome.value = typeof said === 'string' ? { text: said, tone: 'done' } : said;
    } catch (error) {
      result = { isDone: false, params: error instanceof RefusedError ? error.params : [] };
      report(explain(error), 'problem');
    }
    actions += 1;
    isAllWanted = true;
    lookNow();
    return result;
  }

  return {
    calls,
    lists,
    place,
    connection,
    outcome,
    time,
    report,
    act,
    filterOf(section) {
      const filter = filters.get(section) ?? signal('');
      filters.set(section, filter);
      return filter;
    },
    dismissOutcome() {
      outcome.value = undefined;
    },
    start() {
      lookNow = pollWhileVisible({ look, delayMs: () => (connection.value === 'lost' ? 3000 : 1000), page });
      place.subscribe(() => lookNow());
      setInterval(time.tick, 250);
    },
  };
}

const explain = (error: unknown): string =>
  error instanceof RefusedError
    ? `Refused by the sandbox: ${error.message}`
    : 'No answer from the sandbox. When it is back, look at the list before you try again.';
