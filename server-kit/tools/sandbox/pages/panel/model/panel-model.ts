import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { SandboxCalls } from '../../client/sandbox-calls.ts';
import { RefusedError } from '../../client/sandbox-calls.ts';
import { pollSandbox, type SandboxData, type SandboxDataOptions } from './poll-sandbox.ts';
import type { Route, SectionId } from './route.ts';

/** The result of the last action. `tone` only sets the colour; the text says it too. */
export type Outcome = { text: string; tone: 'done' | 'problem' };

/** What the panel says after a call: a text if it succeeded, or an outcome with its tone. */
type Message = string | Outcome;

/** Whether the action succeeded; if not, the fields at fault. */
export type Result = { isDone: boolean; params: readonly string[] };

export type PanelModel = Omit<SandboxData, 'refreshAll'> & {
  calls: SandboxCalls;
  route: ReadonlySignal<Route>;
  outcome: ReadonlySignal<Outcome | undefined>;
  /** The filter of a section; kept while another section is shown. */
  filterOf: (section: SectionId) => Signal<string>;
  /** Makes a call, reports its outcome with the message, and refreshes everything. Never rejects. */
  act: <T>(call: () => Promise<T>, message: Message | ((result: T) => Message)) => Promise<Result>;
  /** Reports something that happened on this page, such as a copy. */
  report: (text: string, tone?: Outcome['tone']) => void;
  dismissOutcome: () => void;
};

/** Creates the panel's model. It polls nothing before `start`. */
export function createPanelModel(options: SandboxDataOptions): PanelModel {
  const { refreshAll, ...watch } = pollSandbox(options);
  const outcome = signal<Outcome | undefined>(undefined);
  const filters = new Map<SectionId, Signal<string>>();

  const report: PanelModel['report'] = (text, tone = 'done') => {
    outcome.value = { text, tone };
  };

  const act: PanelModel['act'] = async (call, message) => {
    let result: Result = { isDone: true, params: [] };
    try {
      const response = await call();
      const said = typeof message === 'function' ? message(response) : message;
      outcome.value = typeof said === 'string' ? { text: said, tone: 'done' } : said;
    } catch (error) {
      result = { isDone: false, params: error instanceof RefusedError ? error.params : [] };
      report(explain(error), 'problem');
    }
    refreshAll();
    return result;
  };

  return {
    ...watch,
    calls: options.calls,
    route: options.route,
    outcome,
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
  };
}

const explain = (error: unknown): string =>
  error instanceof RefusedError
    ? `Refused by the sandbox: ${error.message}`
    : 'No response from the sandbox. When it is back, check the list before you try again.';
