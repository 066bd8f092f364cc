import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { createPoll, type Poll } from '../../server-kit/tools/sandbox/pages/client/poll.ts';
import type { SandboxCalls } from '../../server-kit/tools/sandbox/pages/client/sandbox-calls.ts';
import type { ShopEvent } from '../merchant/shop-records.ts';
import { type Activity, type ActivityReading, readActivities, type TimelineRow, toRows } from './timeline.ts';

export type ActivityModel = {
  /** Whether the panel is unfolded. Only then, and while the page is visible, the model polls. */
  isOpen: ReadonlySignal<boolean>;
  /** Folds or unfolds the panel. */
  toggle: () => void;
  /** Oldest first. */
  rows: ReadonlySignal<readonly TimelineRow[]>;
  connection: Poll['connection'];
};

export type ActivityOptions = {
  /** Reads the calls of the shop's handlers, oldest first. */
  readEvents: () => Promise<readonly ShopEvent[]>;
  /** `undefined` if the shop uses another service than the sandbox. */
  calls: SandboxCalls | undefined;
  /** The payment on the page. */
  onPage: ReadonlySignal<{ reference: string } | undefined>;
  /** Whether the panel is unfolded until the visitor decides. */
  isOpen: boolean;
  /** Remembers whether the visitor has unfolded or folded the panel. */
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  page: Pick<Document, 'hidden' | 'addEventListener'>;
};

const storageKey = 'shop-activity';

/** Creates the model of the developer panel. */
export function createActivityModel({
  readEvents,
  calls,
  onPage,
  isOpen: isOpenAtFirst,
  storage,
  page,
}: ActivityOptions): ActivityModel {
  const isOpen = signal((storage.getItem(storageKey) ?? (isOpenAtFirst && 'open')) === 'open');
  const activities = signal<readonly Activity[]>([]);
  const references = new Set<string>();

  async function refresh(): Promise<void> {
    const reading = await readAll(readEvents, calls);
    for (const { reference } of reading.events) references.add(reference);
    const known = new Set(activities.value.map(({ key }) => key));
    const added = readActivities(reading, references).filter(({ key }) => !known.has(key));
    // Only added to, so that moving the clock never changes the order of what happened before.
    if (added.length > 0) activities.value = [...activities.value, ...added];
  }

  const { connection, update } = createPoll({
    refresh,
    page,
    isVisible: () => isOpen.value && !page.hidden,
  });
  update();
  onPage.subscribe((payment) => {
    if (payment !== undefined) references.add(payment.reference);
  });

  return {
    isOpen,
    rows: computed(() => toRows(activities.value)),
    connection,
    toggle() {
      isOpen.value = !isOpen.value;
      storage.setItem(storageKey, isOpen.value ? 'open' : 'folded');
      update();
    },
  };
}

async function readAll(
  readEvents: ActivityOptions['readEvents'],
  calls: SandboxCalls | undefined,
): Promise<ActivityReading> {
  const [events, requests, callbacks, clock] = await Promise.all([
    readEvents(),
    calls?.listRequests() ?? [],
    calls?.listCallbacks() ?? [],
    calls?.readClock(),
  ]);
  return { events, requests, callbacks, offsetSeconds: clock?.offsetSeconds ?? 0 };
}
