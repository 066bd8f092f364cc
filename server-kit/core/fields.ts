import * as v from 'valibot';
import { parseWebUrl } from '../../src/contract/index.ts';

/** The currencies that requests may use (interface, section 2.1). Both have two decimals. */
export const currencies = ['NGN', 'USD'] as const;
export type Currency = (typeof currencies)[number];

/** Editors complete the known values; others pass unchanged. */
export type OpenEnum<Known extends string> = Known | (string & {});

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be one of ${words.join(', ')}`);

export const openEnum = <const Words extends readonly string[]>(words: Words) =>
  v.pipe(
    v.custom<OpenEnum<Words[number]>>((value) => typeof value === 'string' && value !== '', 'must be text'),
    v.examples<OpenEnum<Words[number]>, Words>(words),
  );

export const NonEmptyText = v.pipe(v.string(), v.minLength(1, 'must not be empty'));

/** An id, or the merchant's own reference, as it fits into a path. */
export const Identifier = v.pipe(
  NonEmptyText,
  // URL parsers remove these from a path, which is signed.
  v.check((text) => text !== '.' && text !== '..', 'must not be "." or ".."'),
  v.check((text) => !/\p{Surrogate}/u.test(text), 'must not contain half of a surrogate pair'),
);

/** Where callbacks are sent. A URL parser would have to repair others. A user and a password are sent as `Authorization: Basic`. */
export const CallbackUrl = v.pipe(
  v.string(),
  v.check(
    (text) => /^https?:\/\/[^\s\p{Cc}\\/][^\s\p{Cc}\\]*$/iu.test(text) && parseWebUrl(text) !== undefined,
    'must be an absolute http(s) URL without spaces',
  ),
);

/** An absolute http(s) URL that every URL parser reads the same way. */
export const WebUrl = v.pipe(
  CallbackUrl,
  v.check((text) => {
    const { username = '', password = '' } = parseWebUrl(text) ?? {};
    return username === '' && password === '';
  }, 'must be an http(s) URL without credentials'),
);

/** Whether this is a plain `{...}` of any realm. The JSON of a Map or a class instance is rarely what was meant. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A free-form JSON object. Not `v.record`, which drops keys such as `constructor` after they were signed. */
export const Metadata = v.custom<object>(
  (value) => isPlainObject(value) && typeof value.toJSON !== 'function',
  'must be a plain object',
) as v.GenericSchema<object, Readonly<Record<string, unknown>>>;

/** The metadata of a request. Responses repeat it, with every escape that a JSON writer may add, and are read up to 64 KB. */
export const RequestMetadata = v.pipe(
  Metadata,
  v.check((metadata) => {
    try {
      return JSON.stringify(metadata).replace(/[^ -~]|[<>&'/]/g, '\\u0000').length <= 32_768;
    } catch {
      // `canonicalJson` refuses what JSON cannot carry, with the reason.
      return true;
    }
  }, 'must have at most 32,768 bytes as escaped JSON'),
);

const notWhole = 'must be a whole number of minor units';
const unreadableAmount = `${notWhole}; check dialect.amountUnit, and the fees if amounts are net`;

/** An amount from the service, after the dialect has converted it. */
export const WireAmount = v.pipe(v.number(unreadableAmount), v.safeInteger(unreadableAmount));

/** An amount that is requested or charged. A negative one would reach shops and shoppers as money. */
export const WireCharge = v.pipe(WireAmount, v.minValue(0, 'must not be negative'));

/** Interface, section 2.1: an amount in a request, in minor units. */
export const RequestAmount = v.strictObject({
  /** In minor units (kobo, cents), a whole number above 0: 650000 is ₦6,500.00. */
  value: v.pipe(v.number(), v.safeInteger(notWhole), v.minValue(1, 'must be above 0')),
  currency: oneOf(currencies),
});

/** Interface, section 2.1: an amount in a response. */
export const Amount = v.looseObject({ value: WireCharge, currency: v.string() });

export const Email = v.pipe(v.string(), v.rfcEmail('must be an e-mail address'));

const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const withOffset = (text: string): string => (/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);

/** A timestamp, converted to ISO 8601 in UTC, so that timestamps compare as text. Without an offset it is in UTC (section 2). */
export const Timestamp = v.pipe(
  v.string(),
  v.check(
    (text) => timestampPattern.test(text) && !Number.isNaN(Date.parse(withOffset(text))),
    'must be an ISO 8601 timestamp',
  ),
  v.transform((text) => new Date(withOffset(text)).toISOString()),
);

/** A response field that this code does not depend on: missing, null or invalid, it does not invalidate the whole response. */
export const lenient = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(v.fallback(v.nullish(schema), undefined));

/** Control, bidirectional and zero-width characters, but not joiners (U+200C, U+200D), which belong to some scripts. */
const hiddenCharacter = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

/** A text of a response that a shopper compares with the bank's. */
export const ShownText = v.pipe(
  v.string(),
  v.check((text) => !hiddenCharacter.test(text), 'must not have hidden characters'),
);

/** The number of an account to pay into. All banks of the service's countries use digits. */
export const AccountNumber = v.pipe(v.string(), v.regex(/^\d[\d -]*$/, 'must be digits, spaces and hyphens'));
