import type * as v from 'valibot';
import { App, AppRegistration, AppUpdate } from './app.ts';
import { CheckoutLink, CheckoutLinkRequest } from './checkout-link.ts';
import {
  DedicatedAccount,
  DedicatedAccountListQuery,
  DedicatedAccountPage,
  DedicatedAccountRequest,
  DedicatedAccountRequestResult,
} from './dedicated-account.ts';
import { Invoice, InvoiceCancelRequest, invoiceAmounts } from './invoice.ts';
import { Payment, PaymentInitiation, PaymentInitiationRequest, paymentAmounts } from './payment.ts';
import { Payout, PayoutListQuery, PayoutPage, payoutAmounts } from './payout.ts';
import { TaxRate, TaxRateListQuery, TaxRatePage, taxRateAmounts } from './tax-rate.ts';

/** One endpoint of the service. Both the client and the sandbox are built from these rows. */
export type Endpoint = {
  /** The section of docs/reference/service-interface.md. */
  section: string;
  /** One line for the documentation. */
  summary: string;
  method: 'GET' | 'POST' | 'PUT';
  /** The path below the base URL; `{name}` is a placeholder for one segment. */
  path: `/v1/${string}`;
  auth: 'signature' | 'bearer';
  /** The status that the sandbox sends. The client accepts any 2xx. */
  successStatus: 200 | 201;
  /** The filters of a list under our names; the dialect has the service's. */
  query?: v.GenericSchema;
  request?: v.GenericSchema;
  /** The body may be left out: none of its fields is required. */
  isBodyOptional?: true;
  /** The body has a `reference` by which the service recognises and refuses a repeated request. */
  hasReference?: true;
  response: v.GenericSchema;
  /** The client stops reading a response after this many bytes. */
  maxResponseBytes: number;
  /** The fields with amounts, to be converted to the dialect's unit. `?` marks a fee, which may be unreadable. */
  amounts: { request: readonly string[]; response: readonly string[] };
};

/** Enough for a record with `maxMetadataBytes` of metadata, and small enough to hold many at once. */
const maxRecordBytes = 65_536;
/** A page of 100 records. */
const maxPageBytes = 10_000_000;
/** An app with its base64 icon. */
const maxAppBytes = 1_000_000;

const signed = { auth: 'signature', successStatus: 200, maxResponseBytes: maxRecordBytes } as const;
const listed = { ...signed, maxResponseBytes: maxPageBytes } as const;
const noAmounts = { request: [], response: [] } as const;
const amountsOf = <const Fields extends readonly string[]>(response: Fields) =>
  ({ request: [], response }) as const;
/** The fields of each record of a page. */
const inData = (fields: readonly string[]): readonly string[] => fields.map((field) => `data.${field}`);

/** Every endpoint of the service (interface, section 4). The interface is described in docs/reference/service-interface.md. */
export const endpoints = {
  'dedicatedAccounts.create': {
    section: '4.1',
    summary: 'Requests a dedicated account for a customer',
    method: 'POST',
    path: '/v1/dedicated_accounts',
    ...signed,
    request: DedicatedAccountRequest,
    response: DedicatedAccountRequestResult,
    amounts: noAmounts,
  },
  'dedicatedAccounts.list': {
    section: '4.2',
    summary: 'Lists dedicated accounts, newest first',
    method: 'GET',
    path: '/v1/dedicated_accounts',
    ...listed,
    query: DedicatedAccountListQuery,
    response: DedicatedAccountPage,
    amounts: noAmounts,
  },
  'dedicatedAccounts.retrieve': {
    section: '4.3',
    summary: 'Retrieves a dedicated account',
    method: 'GET',
    path: '/v1/dedicated_accounts/{id}',
    ...signed,
    response: DedicatedAccount,
    amounts: noAmounts,
  },
  'payments.initiate': {
    section: '4.4',
    summary: 'Initiates a payment by bank transfer',
    method: 'POST',
    path: '/v1/payments',
    ...signed,
    request: PaymentInitiationRequest,
    hasReference: true,
    response: PaymentInitiation,
    amounts: { request: ['amount.value'], response: ['amount.value'] },
  },
  'checkout.create': {
    section: '4.5',
    summary: 'Creates a link to a hosted checkout page',
    method: 'POST',
    path: '/v1/payments/checkout',
    ...signed,
    request: CheckoutLinkRequest,
    hasReference: true,
    response: CheckoutLink,
    amounts: { request: ['amount.value'], response: ['amount.value'] },
  },
  'payments.retrieve': {
    section: '4.6',
    summary: 'Retrieves a payment by its id',
    method: 'GET',
    path: '/v1/payments/{id}',
    ...signed,
    response: Payment,
    amounts: amountsOf(paymentAmounts),
  },
  'payments.verify': {
    section: '4.7',
    summary: "Retrieves a payment by the merchant's reference",
    method: 'GET',
    path: '/v1/payments/{reference}/verify',
    ...signed,
    response: Payment,
    amounts: amountsOf(paymentAmounts),
  },
  'invoices.cancel': {
    section: '4.8',
    summary: 'Cancels an invoice that is not paid',
    method: 'POST',
    path: '/v1/invoices/{id}/cancel',
    ...signed,
    request: InvoiceCancelRequest,
    isBodyOptional: true,
    response: Invoice,
    amounts: amountsOf(invoiceAmounts),
  },
  'payouts.list': {
    section: '4.9',
    summary: 'Lists payouts, newest first',
    method: 'GET',
    path: '/v1/payouts',
    ...listed,
    query: PayoutListQuery,
    response: PayoutPage,
    amounts: amountsOf(inData(payoutAmounts)),
  },
  'payouts.retrieve': {
    section: '4.10',
    summary: 'Retrieves a payout',
    method: 'GET',
    path: '/v1/payouts/{id}',
    ...signed,
    response: Payout,
    amounts: amountsOf(payoutAmounts),
  },
  'taxRates.list': {
    section: '4.11',
    summary: 'Lists tax rates, newest first',
    method: 'GET',
    path: '/v1/tax_rates',
    ...listed,
    query: TaxRateListQuery,
    response: TaxRatePage,
    amounts: amountsOf(inData(taxRateAmounts)),
  },
  'taxRates.retrieve': {
    section: '4.12',
    summary: 'Retrieves a tax rate',
    method: 'GET',
    path: '/v1/tax_rates/{id}',
    ...signed,
    response: TaxRate,
    amounts: amountsOf(taxRateAmounts),
  },
  'apps.register': {
    section: '4.13',
    summary: 'Registers an app',
    method: 'POST',
    path: '/v1/apps',
    auth: 'bearer',
    successStatus: 201,
    maxResponseBytes: maxAppBytes,
    request: AppRegistration,
    response: App,
    amounts: noAmounts,
  },
  'apps.update': {
    section: '4.14',
    summary: 'Changes an app',
    method: 'PUT',
    path: '/v1/apps/{id}',
    auth: 'bearer',
    successStatus: 200,
    maxResponseBytes: maxAppBytes,
    request: AppUpdate,
    response: App,
    amounts: noAmounts,
  },
} as const satisfies Record<string, Endpoint>;

export type Operation = keyof typeof endpoints;
type Row<Op extends Operation> = (typeof endpoints)[Op];
export type RequestOf<Op extends Operation> =
  Row<Op> extends { request: infer Schema extends v.GenericSchema } ? v.InferInput<Schema> : undefined;
export type QueryOf<Op extends Operation> =
  Row<Op> extends { query: infer Schema extends v.GenericSchema } ? v.InferInput<Schema> : undefined;
export type ResponseOf<Op extends Operation> = v.InferOutput<Row<Op>['response']>;
