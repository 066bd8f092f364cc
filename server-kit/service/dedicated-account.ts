import * as v from 'valibot';
import type { Account } from '../../src/contract/index.ts';
import type { CallOptions } from '../core/call.ts';
import type { PaymentsClient } from '../core/client.ts';
import {
  AccountNumber,
  CallbackUrl,
  currencies,
  Email,
  lenient,
  NonEmptyText,
  oneOf,
  openEnum,
  ShownText,
} from '../core/fields.ts';
import { countryCodes } from './country-codes.ts';
import {
  acceptedAmountPolicies,
  type DocumentedEndpoint,
  lenientFields,
  lenientObject,
  recordFields,
} from './fields.ts';
import { type List, type ListEndpoint, listFields, listRecords, oneOrMoreOf } from './list.ts';

export const dedicatedAccountStatuses = ['active', 'expired', 'no_post_no_debit'] as const;
export type DedicatedAccountStatus = (typeof dedicatedAccountStatuses)[number];

const dedicatedAccountTypes = [
  'temporary_virtual_account',
  'dedicated_virtual_account',
  'invoice_payment_account',
  'dedicated_business_account',
  'virtual_terminal_account',
] as const;

const CountryCode = v.picklist(countryCodes, 'must be a country code of two capital letters (ISO 3166-1)');
const Gender = oneOf(['male', 'female']);

/** A phone number (interface, section 8). */
const PhoneNumber = v.pipe(
  v.string(),
  v.regex(/^[\d\s\-()+]{7,20}$/, 'must be 7 to 20 digits, spaces, brackets, hyphens and plus signs'),
);

/** Whether a text such as `2026-02-28` is a day that exists. */
function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** An existing calendar day, such as `1990-02-28`. */
const CalendarDate = v.pipe(
  v.string(),
  v.isoDate('must be a date such as 1990-02-28'),
  v.check(isCalendarDay, 'must be a day that exists'),
);

const Identity = v.strictObject({ type: oneOf(['bvn', 'nin', 'v_nin']), number: NonEmptyText });

const KycProfile = v.strictObject({
  firstName: NonEmptyText,
  lastName: NonEmptyText,
  otherName: v.optional(v.string()),
  gender: v.optional(Gender),
  countryOfOrigin: CountryCode,
  phoneNumber: PhoneNumber,
  dateOfBirth: CalendarDate,
  bankAccountNumber: v.optional(v.string()),
  bankId: v.optional(v.string()),
  identities: v.pipe(
    v.array(Identity),
    v.minLength(1, 'must have 1 or 2 items'),
    v.maxLength(2, 'must have 1 or 2 items'),
  ),
});

/** Keeps every key of a `v.looseObject`, which would silently drop `constructor` and `prototype`. */
const keepEveryKey = <const Schema extends v.GenericSchema<object>>(schema: Schema): Schema => ({
  ...schema,
  '~run'(dataset: Parameters<Schema['~run']>[0], config: Parameters<Schema['~run']>[1]) {
    // Read before the schema replaces it with its own copy.
    const given = dataset.value as object;
    const result = schema['~run'](dataset, config);
    if (result.typed) result.value = { ...given, ...(result.value as object) };
    return result;
  },
});

/** The interface does not show all fields: unknown ones pass unchanged. */
const KybProfile = keepEveryKey(
  v.looseObject({
    firstName: v.optional(v.string()),
    lastName: v.optional(v.string()),
    otherName: v.optional(v.string()),
    gender: v.optional(Gender),
    countryOfOrigin: v.optional(CountryCode),
    countryOfIncorporation: v.optional(CountryCode),
  }),
);

const commonFields = {
  callbackUrl: CallbackUrl,
  currency: oneOf(currencies),
  accountName: NonEmptyText,
  email: Email,
  /** One of the service's three banks; the dialect names those of the sandbox. */
  preferredBank: v.optional(NonEmptyText),
};

/** Interface, section 4.1: the body of POST /v1/dedicated_accounts, in one of two variants. */
export const DedicatedAccountRequest = v.variant(
  'accountType',
  [
    v.strictObject({ ...commonFields, accountType: v.literal('individual'), kycProfile: KycProfile }),
    // The interface does not show whether a business has further fields.
    keepEveryKey(
      v.looseObject({ ...commonFields, accountType: v.literal('business'), kybProfile: KybProfile }),
    ),
  ],
  'must be one of individual, business',
);
export type DedicatedAccountRequest = v.InferInput<typeof DedicatedAccountRequest>;

/** The status of an account request before the customer consents. */
export const awaitingConsent = 'awaiting_customer_consent';

/** Interface, section 4.1: the response. The account itself is created when the customer consents. */
export const DedicatedAccountRequestResult = v.looseObject({
  status: openEnum([awaitingConsent]),
  accountRequestCode: NonEmptyText,
  message: lenient(v.string()),
});
export type DedicatedAccountRequestResult = v.InferOutput<typeof DedicatedAccountRequestResult>;

/** Interface, section 2.8: every field but the id. */
export const dedicatedAccountFields = {
  accountRequestCode: v.string(),
  customerId: v.string(),
  currency: oneOf(currencies),
  accountNumber: AccountNumber,
  accountName: ShownText,
  bankName: ShownText,
  bankId: v.string(),
  acceptedAmountPolicy: oneOf(acceptedAmountPolicies),
  status: oneOf(dedicatedAccountStatuses),
  type: oneOf(dedicatedAccountTypes),
  bank: lenientObject({ id: v.string(), name: v.string(), cbnCode: v.string(), nibssCode: v.string() }),
  ...recordFields,
};

/** Interface, section 2.8: a customer's account. It receives money only while it is `active`. */
export const DedicatedAccount = v.looseObject({ id: NonEmptyText, ...lenientFields(dedicatedAccountFields) });
export type DedicatedAccount = v.InferOutput<typeof DedicatedAccount>;

/** Interface, section 4.2: the filters of the list. */
export const DedicatedAccountListQuery = v.strictObject({
  ...listFields,
  status: oneOrMoreOf(dedicatedAccountStatuses),
});
export type DedicatedAccountListQuery = v.InferInput<typeof DedicatedAccountListQuery>;

const account = { method: 'GET', auth: 'signature', response: DedicatedAccount } as const;

export const dedicatedAccountEndpoints = {
  'dedicatedAccounts.create': {
    operation: 'dedicatedAccounts.create',
    section: '4.1',
    summary: 'Requests a dedicated account for a customer',
    method: 'POST',
    path: '/v1/dedicated_accounts',
    auth: 'signature',
    request: DedicatedAccountRequest,
    response: DedicatedAccountRequestResult,
  },
  'dedicatedAccounts.list': {
    operation: 'dedicatedAccounts.list',
    section: '4.2',
    summary: 'Lists dedicated accounts, newest first',
    path: '/v1/dedicated_accounts',
    query: DedicatedAccountListQuery,
    ...account,
  },
  'dedicatedAccounts.retrieve': {
    operation: 'dedicatedAccounts.retrieve',
    section: '4.3',
    summary: 'Retrieves a dedicated account',
    path: '/v1/dedicated_accounts/{id}',
    ...account,
  },
} as const satisfies Record<string, DocumentedEndpoint | ListEndpoint>;

/**
 * 4.1: requests an account for a person (`accountType: 'individual'`) or a business. The account is created when the
 * customer consents; until then there is only the `accountRequestCode`. Never retried.
 *
 * @throws {PaymentsError} `invalid_request`, with `params` such as `kycProfile.identities`
 */
export const requestDedicatedAccount = (
  client: PaymentsClient,
  body: DedicatedAccountRequest,
  of?: CallOptions,
): Promise<DedicatedAccountRequestResult> =>
  client.call(dedicatedAccountEndpoints['dedicatedAccounts.create'], { body }, of);

/** 4.2: lists accounts, newest first. Bounds of `createdAt` are UNIX seconds. */
export const listDedicatedAccounts = (
  client: PaymentsClient,
  query?: DedicatedAccountListQuery,
  of?: CallOptions,
): List<DedicatedAccount> =>
  listRecords(client, dedicatedAccountEndpoints['dedicatedAccounts.list'], query, of);

/** 4.3: retrieves an account by its id. */
export const retrieveDedicatedAccount = (
  client: PaymentsClient,
  id: string,
  of?: CallOptions,
): Promise<DedicatedAccount> =>
  client.call(dedicatedAccountEndpoints['dedicatedAccounts.retrieve'], { path: { id } }, of);

/** What a page may show of an account that belongs to one customer permanently. */
export type DedicatedAccountView = {
  readonly account: Account;
  readonly currency: string;
  /** False in test mode. */
  readonly liveMode: boolean;
};

/**
 * Returns what a page may show of a dedicated account; `undefined` for an account that is not `active`, or lacks the details needed to pay
 * into it. The view contains no customer data except the account's name.
 *
 * @param account the result of a fresh `retrieveDedicatedAccount`, because an account can close at any time. Check yourself that it belongs
 *   to this customer.
 */
export function toDedicatedAccountView(account: DedicatedAccount): DedicatedAccountView | undefined {
  const { status, accountNumber, accountName, bankName, currency, liveMode } = account;
  if (status !== 'active' || !accountNumber || !bankName || !currency) return undefined;
  return {
    account: { number: accountNumber, name: accountName ?? '', bankName },
    currency,
    // Without a statement from the service, real money must not be called a test.
    liveMode: liveMode ?? true,
  };
}
