import { type ReadonlySignal, signal } from '@preact/signals';
import type { ControlPayment, PaymentUpdateInput } from 'transfer-checkout/sandbox';
import { describeTransfer, formatDuration } from './panel-text.ts';
import { type PollOptions, pollWhileVisible } from './poll-while-visible.ts';
import { RefusedError, type SandboxCalls } from './sandbox-calls.ts';
import { createSandboxTime, type SandboxTime } from './sandbox-time.ts';

/** What came of the last action. `tone` is for the eye; the text says it too. */
export type Outcome = { text: string; tone: 'done' | 'problem'; atMs: number };

export type PanelModel = {
  /** Newest first; `undefined` before the first answer. */
  payments: ReadonlySignal<readonly ControlPayment[] | undefined>;
  connection: ReadonlySignal<'connecting' | 'live' | 'lost'>;
  outcome: ReadonlySignal<Outcome | undefined>;
  time: Pick<SandboxTime, 'nowSeconds'>;
  offsetSeconds: ReadonlySignal<number>;
  /** Begins to look at the sandbox, for as long as the page lives. */
  start: () => void;
  /** Sends money, in minor units, to the payment's account. */
  transfer: (payment: ControlPayment, amount: number) => Promise<void>;
  updatePayment: (payment: ControlPayment, input: PaymentUpdateInput) => Promise<void>;
  advanceClock: (seconds: number) => Promise<void>;
  /** Says something that happened on this page, such as a copy. */
  report: (text: string, tone?: Outcome['tone']) => void;
  dismissOutcome: () => void;
};

export function createPanelModel({
  calls,
  page,
}: {
  calls: SandboxCalls;
  page: PollOptions['page'];
}): PanelModel {
  const payments = signal<readonly ControlPayment[] | undefined>(undefined);
  const connection = signal<'connecting' | 'live' | 'lost'>('connecting');
  const outcome = signal<Outcome | undefined>(undefined);
  const offsetSeconds = signal(0);
  const time = createSandboxTime(() => performance.now());
  let actions = 0;
  let lookNow = (): void => {};

  async function look(): Promise<void> {
    const actionsBefore = actions;
    try {
      const [list, clock] = await Promise.all([calls.listPayments(), calls.readClock()]);
      connection.value = 'live';
      // An action has been answered meanwhile: what this look saw is older. Another look follows.
      if (actionsBefore !== actions) return;
      payments.value = list;
      offsetSeconds.value = clock.offsetSeconds;
      time.set(clock.now);
    } catch {
      connection.value = 'lost';
    }
  }

  const report = (text: string, tone: Outcome['tone'] = 'done'): void => {
    outcome.value = { text, tone, atMs: Date.now() };
  };

  async function act(action: () => Promise<Parameters<typeof report>>): Promise<void> {
    try {
      report(...(await action()));
    } catch (error) {
      const text =
        error instanceof RefusedError
          ? `Refused by the sandbox: ${error.message}`
          : 'No answer from the server. When it is back, look at the list before you try again.';
      report(text, 'problem');
    }
    actions += 1;
    lookNow();
  }

  const replace = (changed: ControlPayment): void => {
    payments.value = payments.value?.map((one) => (one.reference === changed.reference ? changed : one));
  };

  return {
    payments,
    connection,
    outcome,
    time,
    offsetSeconds,
    report,
    dismissOutcome() {
      outcome.value = undefined;
    },
    start() {
      lookNow = pollWhileVisible({ look, delayMs: () => (connection.value === 'lost' ? 3000 : 1000), page });
      setInterval(time.tick, 250);
    },
    transfer: ({ accountNumber }, amount) =>
      act(async () => {
        const { transfer, payment } = await calls.transfer({ accountNumber, amount });
        replace(payment);
        return [describeTransfer(transfer, payment), transfer.status === 'accepted' ? 'done' : 'problem'];
      }),
    updatePayment: ({ reference }, input) =>
      act(async () => {
        const payment = await calls.updatePayment(reference, input);
        replace(payment);
        const what = input.status === undefined ? 'has a new policy' : `is now ${payment.status}`;
        return [`${reference} ${what}.`];
      }),
    advanceClock: (seconds) =>
      act(async () => {
        const clock = await calls.advanceClock(seconds);
        offsetSeconds.value = clock.offsetSeconds;
        time.set(clock.now);
        return [`The clock moved ahead by ${formatDuration(seconds)}.`];
      }),
  };
}
