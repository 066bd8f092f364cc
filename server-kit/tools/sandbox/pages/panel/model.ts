import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { createPoll } from '../client/poll.ts';
import { RefusedError, type SandboxCalls } from '../client/sandbox-calls.ts';
import type { Route } from './route.ts';

/** The result of the last action. `tone` only sets the colour; the text says it too. */
export type Outcome = { text: string; tone: 'done' | 'problem' };

/** Whether the action succeeded. */
export type Result = { isDone: boolean };

const createData = (calls: SandboxCalls) => {
  const of = <T>(read: () => Promise<T>) => ({ read, latest: signal<T | undefined>(undefined) });
  return {
    clock: of(calls.readClock),
    faults: of(calls.listFaults),
    delivery: of(calls.readCallbackDelivery),
    payments: of(calls.listPayments),
    callbacks: of(calls.listCallbacks),
    requests: of(calls.listRequests),
  };
};
type Data = ReturnType<typeof createData>;
type DataName = keyof Data;

export type PanelModel = ReturnType<typeof createPanelModel>;

/** Creates the panel's model, which polls what is on the screen. */
export function createPanelModel(
  calls: SandboxCalls,
  route: ReadonlySignal<Route>,
  page: Pick<Document, 'hidden' | 'addEventListener'>,
) {
  const all = createData(calls);
  const data = Object.fromEntries(
    Object.entries(all).map(([name, { latest }]) => [name, latest]),
  ) as unknown as { readonly [Name in DataName]: Data[Name]['latest'] };
  /** Why the last response could not be used. */
  const problem = signal<string | undefined>(undefined);
  const outcome = signal<Outcome | undefined>(undefined);
  let actions = 0;

  async function refreshOne(name: DataName): Promise<void> {
    const actionsBefore = actions;
    const { read, latest } = all[name];
    const next = await read();
    // A response that was requested before the latest action is outdated.
    if (actionsBefore === actions) (latest as Signal<unknown>).value = next;
  }

  async function refresh(): Promise<void> {
    const { section, id } = route.value;
    const wanted = new Set<DataName>(['clock', 'faults', 'delivery', section]);
    if (section === 'payments' && id !== undefined) wanted.add('callbacks');
    try {
      await Promise.all(Array.from(wanted, refreshOne));
      problem.value = undefined;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      problem.value = error.message;
    }
  }

  const { connection, update } = createPoll({ refresh, page, isVisible: () => !page.hidden });
  const report = (text: string, tone: Outcome['tone'] = 'done'): void => {
    outcome.value = { text, tone };
  };

  return {
    calls,
    route,
    /** The latest responses; `undefined` before the first. */
    data,
    problem,
    connection,
    /** The last reading of the sandbox's clock, in whole seconds since the epoch. */
    nowSeconds: computed(() => data.clock.value && Math.floor(Date.parse(data.clock.value.now) / 1000)),
    outcome,
    report,
    dismissOutcome(): void {
      outcome.value = undefined;
    },
    /** Makes a call, reports its outcome with the message, and refreshes the page. Never rejects. */
    async act<T>(
      call: () => Promise<T>,
      message: string | ((result: T) => string | Outcome),
    ): Promise<Result> {
      const { isDone, ...said } = await run(call, message);
      outcome.value = said;
      actions += 1;
      update();
      return { isDone };
    },
    /** Starts polling, for the lifetime of the page. */
    start: (): void => void route.subscribe(update),
  };
}

async function run<T>(
  call: () => Promise<T>,
  message: string | ((result: T) => string | Outcome),
): Promise<Result & Outcome> {
  try {
    const result = await call();
    const said = typeof message === 'function' ? message(result) : message;
    return { isDone: true, ...(typeof said === 'string' ? { text: said, tone: 'done' } : said) };
  } catch (error) {
    const text =
      error instanceof RefusedError
        ? `Refused by the sandbox: ${error.message}`
        : 'No response from the sandbox. When it is back, check the list before you try again.';
    return { isDone: false, text, tone: 'problem' };
  }
}

export const PanelContext = createContext<PanelModel | undefined>(undefined);

/** Returns the model inside `App`. */
export function usePanel(): PanelModel {
  const panel = useContext(PanelContext);
  if (panel === undefined) throw new Error('Render this component inside `<App>`.');
  return panel;
}
