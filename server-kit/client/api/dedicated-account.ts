import * as v from 'valibot';
import { countryCodes } from './country-codes.ts';
import {
  AccountNumber,
  CallbackUrl,
  currencies,
  Email,
  exactObject,
  isCalendarDay,
  lenient,
  lenientFields,
  lenientObject,
  NonEmptyText,
  oneOf,
  openEnum,
  recordFields,
  rejectArrays,
  ShownText,
} from './fields.ts';
import { listFields, oneOrMoreOf, pageOf } from './list.ts';
import { acceptedAmountPolicies } from './payment.ts';

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

/** An existing calendar day, such as `1990-02-28`. */
const CalendarDate = v.pipe(
  v.string(),
  v.isoDate('must be a date such as 1990-02-28'),
  v.check(isCalendarDay, 'must be a day that exists'),
);

const Identity = exactObject({ type: oneOf(['bvn', 'nin', 'v_nin']), number: NonEmptyText });

const KycProfile = exactObject({
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

/** Keeps every key of a `v.looseObject`, which would silently drop `constructor` and `prototype`, and rejects arrays. */
const keepEveryKey = <const Schema extends v.GenericSchema<object>>(schema: Schema): Schema =>
  rejectArrays({
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
    exactObject({ ...commonFields, accountType: v.literal('individual'), kycProfile: KycProfile }),
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
export const DedicatedAccountListQuery = exactObject({
  ...listFields,
  status: oneOrMoreOf(dedicatedAccountStatuses),
});
export type DedicatedAccountListQuery = v.InferInput<typeof DedicatedAccountListQuery>;

/** Interface, section 2.11: a page of dedicated accounts. */
export const DedicatedAccountPage = pageOf(DedicatedAccount);
