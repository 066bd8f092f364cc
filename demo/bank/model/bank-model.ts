import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ClockReading, ControlPayment, ControlTransfer } from 'transfer-checkout/sandbox';
import {
  RefusedError,
  returnToRealTime,
  type SandboxCalls,
} from '../../../server-kit/tools/sandbox/pages/client/sandbox-calls.ts';
import { missingAmount } from '../../../server-kit/tools/sandbox/pages/format/amounts.ts';
import { type ScenarioName, scenariosFor } from './scenarios.ts';

/** The screen of the bank app. */
export type BankStep =
  | { name: 'recipient' }
  | { name: 'amount'; account: ControlPayment }
  | { name: 'receipt'; account: ControlPayment; transfer: ControlTransfer };

export type Bank = {
  step: ReadonlySignal<BankStep>;
  /** The payment that the page asks for, as the sandbox has it. */
  requested: ReadonlySignal<ControlPayment | undefined>;
  /** What is left to pay into the account on the page, in minor units. */
  missing: ReadonlySignal<number>;
  /** Why the last action failed. */
  problem: ReadonlySignal<string | undefined>;
  /** `undefined` before the first reading. */
  clock: ReadonlySignal<ClockReading | undefined>;
  /** Finds the account with this number, and goes on to the amount. */
  lookUp: (accountNumber: string) => Promise<void>;
  /** Sends an amount in minor units, and shows the receipt. */
  send: (account: ControlPayment, amount: number) => Promise<void>;
  /** Plays a scenario with the account on the page, if it is possible now. */
  play: (name: ScenarioName) => Promise<void>;
  /** Shows the first screen again. */
  startAgain: () => void;
  advanceClock: (seconds: number) => Promise<void>;
  /** Moves the clock just past the end of the account on the page. */
  advanceToExpiry: () => Promise<void>;
  resetClock: () => Promise<void>;
};

export type BankOptions = {
  calls: SandboxCalls;
  /** The payment on the page, again after each change of it. */
  onPage: ReadonlySignal<{ reference: string } | undefined>;
  /** Called when money was sent. */
  onSent?: () => void;
};

/** Creates the bank app's model. No action rejects: `problem` says why one failed. */
export function createBank({ calls, onPage, onSent }: BankOptions): Bank {
  const step = signal<BankStep>({ name: 'recipient' });
  const requested = signal<ControlPayment | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  const clock = signal<ClockReading | undefined>(undefined);
  let isBusy = false;
  /** The reference of the payment to take back. */
  let returning: string | undefined;

  /** Runs one action at a time: a second press must not send twice. */
  async function act(action: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    problem.value = undefined;
    try {
      await action();
    } catch (error) {
      problem.value = explain(error);
    } finally {
      isBusy = false;
    }
  }

  async function followPage(): Promise<void> {
    const reference = onPage.value?.reference;
    if (reference === undefined) return;
    const [payments, reading] = await Promise.all([calls.listPayments(), calls.readClock()]);
    if (onPage.value?.reference !== reference) return;
    batch(() => {
      requested.value = payments.find((payment) => payment.reference === reference);
      clock.value = reading;
    });
    if (returning !== reference || requested.value?.status !== 'succeeded') return;
    returning = undefined;
    requested.value = await calls.updatePayment(reference, { status: 'reversed' });
  }

  async function transfer(account: ControlPayment, amount: number): Promise<void> {
    const sent = await calls.transfer({ accountNumber: account.accountNumber, amount });
    batch(() => {
      step.value = { name: 'receipt', account: sent.payment ?? account, transfer: sent.transfer };
      if (sent.payment?.reference === requested.value?.reference) requested.value = sent.payment ?? undefined;
    });
    onSent?.();
  }

  async function moveClock(change: () => Promise<ClockReading>): Promise<void> {
    clock.value = await change();
    await followPage();
  }

  async function moveToExpiry(): Promise<ClockReading> {
    const { now } = await calls.readClock();
    const leftMs = Date.parse(requested.value?.expiresAt ?? now) - Date.parse(now);
    return calls.setClock({ advanceSeconds: Math.max(0, Math.ceil(leftMs / 1000)) + 1 });
  }

  async function play(account: ControlPayment, name: ScenarioName): Promise<void> {
    const scenario = scenariosFor(account)[name];
    if (scenario === undefined) return;
    const { amounts, acceptedAmountPolicy, isLate, isReturned } = scenario;
    if (acceptedAmountPolicy) await calls.updatePayment(account.reference, { acceptedAmountPolicy });
    if (isLate) await moveClock(moveToExpiry);
    for (const amount of amounts) await transfer(account, amount);
    if (isReturned) returning = account.reference;
    await followPage();
  }

  // The widget already shows why the service does not respond, and its next change tries again.
  onPage.subscribe(() => void followPage().catch(() => {}));

  const missing = computed(() => (requested.value === undefined ? 0 : missingAmount(requested.value)));
  return {
    step,
    requested,
    missing,
    problem,
    clock,
    send: (account, amount) => act(() => transfer(account, amount)),
    lookUp: (accountNumber) =>
      act(async () => {
        const account = (await calls.listPayments()).find((one) => one.accountNumber === accountNumber);
        if (account === undefined) problem.value = 'No account has this number. Check the ten digits.';
        else step.value = { name: 'amount', account };
      }),
    async play(name) {
      const account = requested.value;
      if (account !== undefined) await act(() => play(account, name));
    },
    startAgain() {
      batch(() => {
        step.value = { name: 'recipient' };
        problem.value = undefined;
      });
    },
    advanceClock: (advanceSeconds) => act(() => moveClock(() => calls.setClock({ advanceSeconds }))),
    advanceToExpiry: () => act(() => moveClock(moveToExpiry)),
    resetClock: () => act(() => moveClock(() => returnToRealTime(calls))),
  };
}

const explain = (error: unknown): string =>
  error instanceof RefusedError
    ? error.message
    : 'The bank did not respond. Check whether the money has arrived before you try again.';
