import type { Currency } from '../api/fields.ts';
import { createPaymentsClient } from '../client/client.ts';
import type { NotifiedRecord, NotifiedStatus } from '../sandbox/callbacks/notified-records.ts';
import {
  createSandbox,
  type PayoutUpdateInput,
  type SandboxControl,
  sandboxCredentials,
} from '../sandbox/index.ts';

/** A kind of record and its new status, one of those in `notifiedRecords`. */
export type NotifiedEvent = { kind: NotifiedRecord; status: string };

/** A new record of the sandbox. `amount` is in minor units. */
export type RecordInput = { reference: string; amount: number; currency: Currency; callbackUrl: string };

/**
 * Returns the `data` of an event, from the callback of a sandbox in this process, with amounts in minor units. Returns
 * `undefined` for an amount that is too small for the event: an amount of 1 cannot be paid in part.
 *
 * @throws {PaymentsError | SandboxError} for input that the sandbox refuses, such as a callback URL with credentials
 */
export async function createEventData(
  { kind, status }: NotifiedEvent,
  input: RecordInput,
  { now, random }: { now: () => number; random: () => number },
): Promise<object | undefined> {
  const sandbox = createSandbox({ now, random });
  const { fetch, control } = sandbox;
  // Logged but not sent, because the caller sends the callback itself.
  control.setCallbackDelivery({ drop: true });
  const client = createPaymentsClient({
    ...sandboxCredentials,
    baseUrl: 'http://sandbox.invalid',
    fetch,
    now,
  });
  try {
    await creators[kind]({ client, control, input, status });
    const event = `${kind}.${status}`;
    const callback = control.listCallbacks().find((one) => one.event === event);
    return callback && JSON.parse(callback.body).data;
  } finally {
    await sandbox.close();
  }
}

type CreateInput = {
  client: ReturnType<typeof createPaymentsClient>;
  control: SandboxControl;
  input: RecordInput;
  status: string;
};

/** Each creates a record and moves it to the status, as merchant, customer and bank would together. */
const creators: Readonly<Record<NotifiedRecord, (input: CreateInput) => Promise<void>>> = {
  async payment({ client, control, input, status }) {
    const { amount: value, currency, ...rest } = input;
    const { accountNumber } = await client.payments.initiate({
      ...rest,
      paymentMethod: 'pay_with_transfer',
      amount: { value, currency },
      customer,
    });
    paymentMoves[status as NotifiedStatus<'payment'>](control, { ...input, accountNumber });
  },

  async payout({ control, input, status }) {
    const { id } = control.createPayout(input);
    for (const step of payoutSteps[status as NotifiedStatus<'payout'>]) control.updatePayout(id, step);
  },

  async invoice({ control, input: { amount: amountDue, ...input }, status }) {
    const { id } = control.createInvoice({ ...input, amountDue, status: 'draft' });
    control.updateInvoice(id, { status: 'open' });
    if (status === 'partially_paid') control.payInvoice(id, { amount: halfOf(amountDue) });
    if (status === 'paid' || status === 'cancelled') control.updateInvoice(id, { status });
  },

  async dedicated_account({ client, control, input: { callbackUrl, currency }, status }) {
    const { accountRequestCode } = await client.dedicatedAccounts.create({
      callbackUrl,
      currency,
      accountType: 'business',
      accountName: customer.name,
      email: customer.email,
      kybProfile: {},
    });
    if (status === 'refused') return void control.refuseDedicatedAccount(accountRequestCode);
    control.consentToDedicatedAccount(accountRequestCode);
    if (status === 'expired' || status === 'no_post_no_debit') {
      control.updateDedicatedAccount(accountRequestCode, { status });
    }
  },
};

type PaymentMove = (control: SandboxControl, payment: RecordInput & { accountNumber: string }) => void;

const pay: PaymentMove = (control, { accountNumber, amount }) => control.transfer({ accountNumber, amount });
const setStatus =
  (status: 'failed' | 'expired' | 'reversed'): PaymentMove =>
  (control, { reference }) =>
    control.updatePayment(reference, { status });

const paymentMoves: Readonly<Record<NotifiedStatus<'payment'>, PaymentMove>> = {
  awaiting_charge(control, payment) {
    const acceptedAmountPolicy = 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL';
    control.updatePayment(payment.reference, { acceptedAmountPolicy });
    pay(control, { ...payment, amount: halfOf(payment.amount) });
  },
  charged: pay,
  succeeded: pay,
  failed: setStatus('failed'),
  expired: setStatus('expired'),
  reversed(control, payment) {
    pay(control, payment);
    setStatus('reversed')(control, payment);
  },
};

const payoutSteps = {
  // A payout starts as pending, so that only the approval causes a callback.
  pending: [{ approvedBy: 'owner@shop.example' }],
  sent: [{ status: 'sent' }],
  succeeded: [{ status: 'sent' }, { status: 'succeeded' }],
  failed: [{ status: 'sent' }, { status: 'failed' }],
  reversed: [{ status: 'sent' }, { status: 'succeeded' }, { status: 'reversed' }],
  cancelled: [{ status: 'cancelled' }],
} as const satisfies Record<NotifiedStatus<'payout'>, readonly PayoutUpdateInput[]>;

/** Rounds up, because no payment is 0. */
const halfOf = (amount: number): number => Math.ceil(amount / 2);

const customer = { email: 'ada@example.com', name: 'Ada Obi' };
