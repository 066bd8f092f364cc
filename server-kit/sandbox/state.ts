import type { CheckoutLink } from '../api/checkout-link.ts';
import type { CallbackRecord } from './callbacks/callback.ts';
import type { DeliverySwitchRecord } from './callbacks/delivery-switch.ts';
import type { ClockSetting } from './clock/clock.ts';
import { type Collection, createCollection } from './collection.ts';
import type { Journal } from './journal.ts';
import type { SandboxPayment } from './payments/payment.ts';

/** A hosted checkout that nobody has opened yet. */
export type CheckoutLinkRecord = { id: string; reference: string; link: CheckoutLink; createdAtMs: number };

/** Everything that the sandbox knows: one collection a kind of record. */
export type SandboxState = {
  payments: Collection<SandboxPayment, 'reference' | 'accountNumber'>;
  checkoutLinks: Collection<CheckoutLinkRecord, 'reference'>;
  clock: Collection<ClockSetting>;
  callbacks: Collection<CallbackRecord>;
  callbackDelivery: Collection<DeliverySwitchRecord>;
};

export function createState(journal: Journal): SandboxState {
  return {
    payments: createCollection<SandboxPayment, 'reference' | 'accountNumber'>('payments', journal, {
      reference: ({ reference }) => reference,
      accountNumber: ({ account }) => account.number,
    }),
    checkoutLinks: createCollection<CheckoutLinkRecord, 'reference'>('checkout_links', journal, {
      reference: ({ reference }) => reference,
    }),
    clock: createCollection<ClockSetting>('clock', journal),
    callbacks: createCollection<CallbackRecord>('callbacks', journal),
    callbackDelivery: createCollection<DeliverySwitchRecord>('callback_delivery', journal),
  };
}
