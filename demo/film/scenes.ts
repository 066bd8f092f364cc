import type { ControlPayment, ControlTransfer } from 'transfer-checkout/sandbox';
import type { State } from '../../src/core/state.ts';
import type { BankStep } from '../bank/model/bank-model.ts';
import { paid, shown, waiting } from '../gallery/screens/fixtures.ts';

/** One picture of the film: what the checkout and the bank app show, and for how long. */
export type Scene = {
  readonly checkout: State;
  readonly bank: BankStep;
  /** The app that the shopper looks at; a phone shows only this one. */
  readonly inFront: 'checkout' | 'bank';
  readonly ms: number;
};

const { number, name, bankName } = waiting.account;
/** The account on both screens, as the sandbox would have it. */
export const account = {
  status: 'awaiting_charge',
  nextStatuses: ['charged'],
  accountNumber: number,
  accountName: name,
  bankName,
  amount: waiting.amount,
  chargedAmount: 0,
} as Partial<ControlPayment> as ControlPayment;
const transfer = { status: 'accepted', accountNumber: number, amount: waiting.amount.value, currency: 'NGN' };
const receipt: BankStep = { name: 'receipt', account, transfer: transfer as ControlTransfer };
const charged = { status: 'charged', outcome: 'pending', chargedAmount: waiting.amount.value } as const;
const inTest = { liveMode: false };

/** A payment of the demo's order, from the account number to the confirmation. */
export const scenes: readonly [Scene, ...Scene[]] = [
  { checkout: shown('awaitingTransfer', inTest), bank: { name: 'recipient' }, inFront: 'checkout', ms: 2500 },
  {
    checkout: shown('awaitingTransfer', inTest),
    bank: { name: 'amount', account },
    inFront: 'bank',
    ms: 2500,
  },
  { checkout: shown('awaitingTransfer', inTest), bank: receipt, inFront: 'bank', ms: 1500 },
  {
    checkout: shown('confirming', { ...charged, ...inTest }),
    bank: receipt,
    inFront: 'checkout',
    ms: 1800,
  },
  { checkout: shown('succeeded', { ...paid, ...inTest }), bank: receipt, inFront: 'checkout', ms: 0 },
];
