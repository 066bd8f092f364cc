import type { PaymentStatus } from '../../../src/contract/index.ts';
import type { PaymentsClient } from '../../core/client.ts';
import type { Currency } from '../../core/fields.ts';
import { requestDedicatedAccount } from '../../service/dedicated-account.ts';
import type { NotifiedRecord } from '../sandbox/callbacks/attempts.ts';
import type { NotifiedStatus } from '../sandbox/callbacks/record-change.ts';
import type { ControlPayment, SandboxControl } from '../sandbox/index.ts';

/** A kind of record and its new status, one of those in `notifiedRecords`. */
export type NotifiedEvent = { kind: NotifiedRecord; status: string };

/** A record of the sandbox. `amount` is in minor units. */
export type RecordInput = {
  reference: string;
  amount: number;
  currency: Currency;
  /** Only a dedicated account must have one. */
  callbackUrl?: string | undefined;
};

/** The control calls of a sandbox, in this process or over HTTP. */
export type AnyControl = {
  [Name in keyof SandboxControl]: (
    ...args: Parameters<SandboxControl[Name]>
  ) => ReturnType<SandboxControl[Name]> | Promise<ReturnType<SandboxControl[Name]>>;
};

type CreateInput = { client: PaymentsClient; control: AnyControl; input: RecordInput; status: string };

/** `id` is the code of its request for a dedicated account. */
export type CreatedRecord = { id: string; callbackUrl: string | null };

/**
 * Creates a record in a sandbox and moves it to the status of the event, as merchant, customer and bank would together. A
 * payment of this reference that exists already is moved instead.
 *
 * @throws {RangeError} for an amount that is too small for the event
 * @throws {PaymentsError} and what the control throws, for input that the sandbox refuses
 */
export const createRecord = (
  { kind, status }: NotifiedEvent,
  input: RecordInput,
  sandbox: Pick<CreateInput, 'client' | 'control'>,
): Promise<CreatedRecord> => creators[kind]({ ...sandbox, input, status });

const creators: Readonly<Record<NotifiedRecord, (input: CreateInput) => Promise<CreatedRecord>>> = {
  async payment({ client, control, input: { amount: value, currency, ...input }, status }) {
    const find = async () =>
      (await control.listPayments()).find(({ reference }) => reference === input.reference);
    let payment = await find();
    if (payment === undefined) {
      if (status === 'awaiting_charge') partOf(value);
      const amount = { value, currency };
      await client.payments.initiate({ ...input, amount, customer, paymentMethod: 'pay_with_transfer' });
      payment = await find();
    }
    if (payment === undefined) throw new Error(`The sandbox has not kept the payment ${input.reference}.`);
    await paymentMoves[status as NotifiedStatus<'payment'>](control, payment);
    return payment;
  },

  async payout({ control, input, status }) {
    const payout = await control.createPayout(input);
    for (const step of payoutSteps[status as NotifiedStatus<'payout'>])
      await control.updatePayout(payout.id, step);
    return payout;
  },

  async invoice({ control, input: { amount: amountDue, ...input }, status }) {
    const part = status === 'partially_paid' && { amount: partOf(amountDue) };
    const invoice = await control.createInvoice({ ...input, amountDue, status: 'draft' });
    await control.updateInvoice(invoice.id, { status: 'open' });
    if (part) await control.payInvoice(invoice.id, part);
    if (status === 'paid' || status === 'cancelled') await control.updateInvoice(invoice.id, { status });
    return invoice;
  },

  async dedicated_account({ client, control, input: { callbackUrl = '', currency }, status }) {
    const { accountRequestCode } = await requestDedicatedAccount(client, {
      callbackUrl,
      currency,
      accountType: 'business',
      accountName: customer.name,
      email: customer.email,
      kybProfile: {},
    });
    if (status === 'refused') await control.refuseDedicatedAccount(accountRequestCode);
    else await control.consentToDedicatedAccount(accountRequestCode);
    if (status === 'expired' || status === 'no_post_no_debit') {
      await control.updateDedicatedAccount(accountRequestCode, { status });
    }
    return { id: accountRequestCode, callbackUrl };
  },
};

type PaymentMove = (control: AnyControl, payment: ControlPayment) => Promise<void>;

const paidStatuses: readonly PaymentStatus[] = ['charged', 'succeeded', 'reversed'];

/** Returns a move through the statuses that are still ahead; one that is behind is refused by the sandbox. */
const payUntil =
  (target: PaymentStatus): PaymentMove =>
  async (control, { reference, status }) => {
    const end = paidStatuses.indexOf(target);
    let reached = paidStatuses.indexOf(status);
    do {
      const next = paidStatuses[Math.min(reached + 1, end)];
      // Without a confirmation time, `charged` becomes `succeeded` at once.
      reached = paidStatuses.indexOf((await control.updatePayment(reference, { status: next })).status);
    } while (reached < end);
  };

const setStatus =
  (status: PaymentStatus): PaymentMove =>
  async (control, { reference }) => {
    await control.updatePayment(reference, { status });
  };

const paymentMoves: Readonly<Record<NotifiedStatus<'payment'>, PaymentMove>> = {
  async awaiting_charge(control, payment) {
    if (payment.status !== 'awaiting_charge') return setStatus('awaiting_charge')(control, payment);
    const { reference, accountNumber, chargedAmount } = payment;
    const amount = partOf(payment.amount.value - chargedAmount);
    await control.updatePayment(reference, { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL' });
    await control.transfer({ accountNumber, amount });
  },
  charged: payUntil('charged'),
  succeeded: payUntil('succeeded'),
  failed: setStatus('failed'),
  expired: setStatus('expired'),
  reversed: payUntil('reversed'),
};

const payoutSteps = {
  // A payout starts as pending, so that only the approval causes a callback.
  pending: [{ approvedBy: 'owner@shop.example' }],
  sent: [{ status: 'sent' }],
  succeeded: [{ status: 'sent' }, { status: 'succeeded' }],
  failed: [{ status: 'sent' }, { status: 'failed' }],
  reversed: [{ status: 'sent' }, { status: 'succeeded' }, { status: 'reversed' }],
  cancelled: [{ status: 'cancelled' }],
} as const satisfies Record<
  NotifiedStatus<'payout'>,
  readonly Parameters<SandboxControl['updatePayout']>[1][]
>;

/** @throws {RangeError} for an amount of 1 */
function partOf(amount: number): number {
  if (amount > 1) return Math.ceil(amount / 2);
  throw new RangeError(`An amount of ${amount} cannot be paid in part; pass a larger amount.`);
}

const customer = { email: 'ada@example.com', name: 'Ada Obi' };
