import { paymentStatuses } from '../../src/contract/index.ts';
import { dedicatedAccountStatuses } from '../api/dedicated-account.ts';
import type { Currency } from '../api/fields.ts';
import { invoiceStatuses } from '../api/invoice.ts';
import { payoutStatuses } from '../api/payout.ts';
import type { CallbackKind } from '../callbacks.ts';
import { createPaymentsClient, type PaymentsClient } from '../client.ts';
import { createSandbox, type SandboxControl } from '../sandbox/index.ts';
import { readOptions } from '../sandbox/options.ts';
import type { Io } from './io.ts';

/** A new record, of the sandbox's making. */
export type RecordInput = { reference: string; amount: number; currency: Currency; status: string };

type Service = { client: PaymentsClient; control: SandboxControl };
type RecordKind = {
  statuses: readonly string[];
  make: (service: Service, input: RecordInput) => Promise<object>;
};

/** What callbacks speak of. An event is named by the kind of record and its new status: `payment.succeeded`. */
export const eventKinds: Readonly<Record<Exclude<CallbackKind, 'unknown'>, RecordKind>> = {
  payment: { statuses: paymentStatuses, make: makePayment },
  payout: {
    statuses: payoutStatuses,
    make: async ({ control }, { reference, amount, currency }) =>
      control.createPayout({ reference, amount, currency }),
  },
  invoice: { statuses: invoiceStatuses, make: makeInvoice },
  dedicated_account: { statuses: dedicatedAccountStatuses, make: makeDedicatedAccount },
};

export const isEventKind = (kind: string): kind is keyof typeof eventKinds => Object.hasOwn(eventKinds, kind);

/**
 * The `data` of an event, with every field that the sandbox's records have: made by a sandbox in this process.
 *
 * @param event such as `payment.succeeded`
 */
export async function makeEventData(
  event: string,
  input: Omit<RecordInput, 'status'>,
  { now, random }: Pick<Io, 'now' | 'random'>,
): Promise<object> {
  const [kind = '', status = ''] = event.split('.');
  const sandbox = createSandbox({ now, random });
  const { apiSecret } = readOptions({});
  const client = createPaymentsClient({
    baseUrl: 'http://sandbox.invalid',
    apiSecret,
    fetch: sandbox.fetch,
    now,
  });
  const { make } = eventKinds[kind as keyof typeof eventKinds];
  const record = await make({ client, control: sandbox.control }, { ...input, status });
  await sandbox.close();
  return { ...record, status };
}

/** Without the access token: callbacks go over networks that it must not. */
async function makePayment({ client }: Service, input: RecordInput): Promise<object> {
  const { reference, amount: value, currency, status } = input;
  const { id } = await client.payments.initiate({
    reference,
    paymentMethod: 'pay_with_transfer',
    amount: { value, currency },
    customer,
  });
  const { accessToken: _secret, ...payment } = await client.payments.retrieve(id);
  const isCharged = ['charged', 'succeeded', 'reversed'].includes(status);
  return { ...payment, chargedAmount: isCharged ? value : 0 };
}

async function makeInvoice({ control }: Service, input: RecordInput): Promise<object> {
  const { reference, amount: amountDue, currency, status } = input;
  const paid: Readonly<Record<string, number>> = {
    paid: amountDue,
    partially_paid: Math.floor(amountDue / 2),
  };
  return control.createInvoice({ reference, amountDue, currency, amountPaid: paid[status] ?? 0 });
}

async function makeDedicatedAccount(
  { client, control }: Service,
  { currency }: RecordInput,
): Promise<object> {
  const { accountRequestCode } = await client.dedicatedAccounts.create({
    callbackUrl: 'http://sandbox.invalid',
    currency,
    accountType: 'business',
    accountName: customer.name,
    email: customer.email,
    kybProfile: {},
  });
  return control.consentToDedicatedAccount(accountRequestCode);
}

const customer = { email: 'ada@example.com', name: 'Ada Obi' };
