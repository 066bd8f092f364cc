import { type ReadonlySignal, signal } from '@preact/signals';
import type { ControlPayment } from 'transfer-checkout/sandbox';
import type { Bank, BankStep } from '../bank/model/bank-model.ts';

const doNothing = async (): Promise<void> => {};

/** A bank app for an account, which shows this step and does nothing. */
export const createStaticBank = (account: ControlPayment, step: ReadonlySignal<BankStep>): Bank => ({
  step,
  requested: signal(account),
  missing: signal(account.amount.value),
  problem: signal(undefined),
  clock: signal(undefined),
  lookUp: doNothing,
  send: doNothing,
  play: doNothing,
  startAgain: doNothing,
  advanceClock: doNothing,
  advanceToExpiry: doNothing,
  resetClock: doNothing,
});
