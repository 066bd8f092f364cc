import type {
  ClockReading,
  ControlPayment,
  ControlTransfer,
  TransferResult,
} from 'transfer-checkout/sandbox';
import * as v from 'valibot';

/**
 * What the panel takes from the sandbox's control calls. The types are the sandbox's own; here they are checked,
 * because a tab may be older than the server it talks to.
 */

const statuses = [
  'initiated',
  'awaiting_charge',
  'charged',
  'succeeded',
  'failed',
  'expired',
  'reversed',
] as const satisfies readonly ControlPayment['status'][];

/** What each policy means to somebody who chooses one. */
export const policyLabels: Readonly<Record<ControlPayment['acceptedAmountPolicy'], string>> = {
  ACCEPTED_AMOUNT_POLICY_FIXED: 'Fixed: exactly this amount',
  ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL: 'Allow partial: less, in parts',
  ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS: 'Allow excess: this or more',
  ACCEPTED_AMOUNT_POLICY_ALLOW_ANY: 'Allow any amount',
};
export const policies = Object.keys(policyLabels) as ControlPayment['acceptedAmountPolicy'][];

const transferEntries = {
  id: v.string(),
  amount: v.number(),
  accountNumber: v.string(),
  createdAt: v.string(),
};

const Transfer: v.GenericSchema<unknown, ControlTransfer> = v.variant('status', [
  v.object({ ...transferEntries, status: v.literal('accepted') }),
  v.object({ ...transferEntries, status: v.literal('returned'), reason: v.string() }),
]);

export const Payment: v.GenericSchema<unknown, ControlPayment> = v.object({
  id: v.string(),
  reference: v.string(),
  status: v.picklist(statuses),
  nextStatuses: v.array(v.picklist(statuses)),
  acceptedAmountPolicy: v.picklist(policies),
  amount: v.object({ value: v.number(), currency: v.picklist(['NGN', 'USD']) }),
  chargedAmount: v.number(),
  accountNumber: v.string(),
  accountName: v.string(),
  bankName: v.string(),
  customer: v.nullable(v.object({ id: v.string(), name: v.string(), email: v.string() })),
  callbackUrl: v.nullable(v.string()),
  metadata: v.record(v.string(), v.unknown()),
  liveMode: v.literal(false),
  expiresAt: v.string(),
  createdAt: v.string(),
  updatedAt: v.string(),
  transfers: v.array(Transfer),
});

export const PaymentList = v.object({ data: v.array(Payment) });
export const Transferred: v.GenericSchema<unknown, TransferResult> = v.object({
  transfer: Transfer,
  payment: Payment,
});
export const Clock: v.GenericSchema<unknown, ClockReading> = v.object({
  now: v.string(),
  offsetSeconds: v.number(),
});
export const Refusal = v.object({ error: v.object({ message: v.string() }) });
