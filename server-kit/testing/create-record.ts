import type { Currency } from '../api/fields.ts';
import type { PaymentsClient } from '../client/client.ts';
import type { NotifiedRecord, NotifiedStatus } from '../sandbox/callbacks/notified-records.ts';
import type { PayoutUpdateInput, SandboxControl } from '../sandbox/index.ts';

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

export type AnySandbox = { client: PaymentsClient; control: AnyControl };

type CreateInput = AnySandbox & { input: RecordInput; status: string };

/**
 * Creates a record in a sandbox and moves it to the status of the event, as merchant, customer and bank would together. A
 * payment of this reference that exists already is moved instead.
 *
 * @returns the record's id; of a dedicated account, the code of its request
 * @throws {PaymentsError} and what the control throws, for input that the sandbox refuses
 */
export const createRecord = (
  { kind, status }: NotifiedEvent,
  input: RecordInput,
  sandbox: AnySandbox,
): Promise<string> => creators[kind]({ ...sandbox, input, status });

const creators: Readonly<Record<NotifiedRecord, (input: CreateInput) => Promise<string>>> = {
  async payment({ client, control, input, status }) {
    const payment = (await findPayment(control, input)) ?? (await initiate(client, input));
    await paymentMoves[status as NotifiedStatus<'payment'>](control, payment);
    return payment.id;
  },

  async payout({ control, input, status }) {
    const { id } = await control.createPayout(input);
    for (const step of payoutSteps[status as NotifiedStatus<'payout'>]) await control.updatePayout(id, step);
    return id;
  },

  async invoice({ control, input: { amount: amountDue, ...input }, status }) {
    const { id } = await control.createInvoice({ ...input, amountDue, status: 'draft' });
    await control.updateInvoice(id, { status: 'open' });
    if (status === 'partially_paid') await control.payInvoice(id, { amount: halfOf(amountDue) });
    if (status === 'paid' || status === 'cancelled') await control.updateInvoice(id, { status });
    return id;
  },

  async dedicated_account({ client, control, input: { callbackUrl = '', currency }, status }) {
    const { accountRequestCode } = await client.dedicatedAccounts.create({
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
    return accountRequestCode;
  },
};

/** `amount` is what is still to be paid. */
type OpenPayment = { id: string; reference: string; accountNumber: string; amount: number };

async function findPayment(
  control: AnyControl,
  { reference }: RecordInput,
): Promise<OpenPayment | undefined> {
  const payment = (await control.listPayments()).find((one) => one.reference === reference);
  if (payment === undefined) return undefined;
  const { id, accountNumber, amount, chargedAmount } = payment;
  return { id, reference, accountNumber, amount: Math.max(1, amount.value - chargedAmount) };
}

async function initiate(
  client: PaymentsClient,
  { reference, amount, currency, callbackUrl }: RecordInput,
): Promise<OpenPayment> {
  const { id, accountNumber } = await client.payments.initiate({
    ...{ reference, callbackUrl, customer },
    paymentMethod: 'pay_with_transfer',
    amount: { value: amount, currency },
  });
  return { id, reference, accountNumber, amount };
}

type PaymentMove = (control: AnyControl, payment: OpenPayment) => Promise<void>;

const pay: PaymentMove = async (control, { accountNumber, amount }) => {
  await control.transfer({ accountNumber, amount });
};
const setStatus =
  (status: 'failed' | 'expired' | 'reversed'): PaymentMove =>
  async (control, { reference }) => {
    await control.updatePayment(reference, { status });
  };

const paymentMoves: Readonly<Record<NotifiedStatus<'payment'>, PaymentMove>> = {
  async awaiting_charge(control, payment) {
    const acceptedAmountPolicy = 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL';
    await control.updatePayment(payment.reference, { acceptedAmountPolicy });
    await pay(control, { ...payment, amount: halfOf(payment.amount) });
  },
  charged: pay,
  succeeded: pay,
  failed: setStatus('failed'),
  expired: setStatus('expired'),
  async reversed(control, payment) {
    await pay(control, payment);
    await setStatus('reversed')(control, payment);
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
