import * as v from 'valibot';
import { parseWebUrl } from '../../../src/contract/index.ts';

/** The currencies that requests may use (interface, section 2.1). */
export const currencies = ['NGN', 'USD'] as const;
export type Currency = (typeof currencies)[number];

/** An enum that the service may extend: editors complete the known values, and others pass unchanged. */
export type OpenEnum<Known extends string> = Known | (string & {});

/** One of a list of values in a request. In a response `lenientFields` also accepts other values. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be one of ${words.join(', ')}`);

/** A value of a response: a known one or any other text. The known ones become examples in the documentation. */
export const openEnum = <const Words extends readonly string[]>(words: Words) =>
  v.pipe(
    v.custom<OpenEnum<Words[number]>>((value) => typeof value === 'string' && value !== '', 'must be text'),
    v.examples<OpenEnum<Words[number]>, Words>(words),
  );

export const NonEmptyText = v.pipe(v.string(), v.minLength(1, 'must not be empty'));

/** An id, or the merchant's own reference. Restricted to what fits into a path, so that it can be retrieved later. */
export const Identifier = v.pipe(
  NonEmptyText,
  // A URL parser removes "." and ".." from a path, so the signed path would differ from the sent one.
  v.check((text) => text !== '.' && text !== '..', 'must not be "." or ".."'),
  v.check((text) => !/\p{Surrogate}/u.test(text), 'must not contain half of a surrogate pair'),
);

/** Returns `undefined` for other schemes, and for anything that a URL parser would have to repair. */
const parseExactUrl = (text: string): URL | undefined =>
  /^https?:\/\/[^\s\p{Cc}\\/][^\s\p{Cc}\\]*$/iu.test(text) ? parseWebUrl(text) : undefined;

/** An absolute http(s) URL without credentials that every URL parser reads the same way. */
export const WebUrl = v.pipe(
  v.string(),
  v.check((text) => {
    const url = parseExactUrl(text);
    return url?.username === '' && url.password === '';
  }, 'must be an absolute http(s) URL without credentials or spaces'),
);

/** Where callbacks are sent. A user and a password in it are sent as `Authorization: Basic` (RFC 7617). */
export const CallbackUrl = v.pipe(
  v.string(),
  v.check((text) => parseExactUrl(text) !== undefined, 'must be an absolute http(s) URL without spaces'),
);

/**
 * Whether this is a plain `{...}`, of any realm; not a Map, a Date or another class instance, whose JSON is rarely what was
 * meant.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * A free-form JSON object. Not `v.record`, which drops keys such as `constructor` after they were signed. The input type is
 * `object`, because an `interface` type is not assignable to `Record`.
 */
export const Metadata = v.custom<object>(
  (value) => isPlainObject(value) && typeof value.toJSON !== 'function',
  'must be a plain object',
) as v.GenericSchema<object, Readonly<Record<string, unknown>>>;

/**
 * The most bytes of `metadata` in a request, counted with every escape that a JSON writer may add. Responses repeat the
 * metadata, and the client reads at most 64 KB per record.
 */
const maxMetadataBytes = 32_768;

/** The metadata of a request, small enough for the responses that repeat it. */
export const RequestMetadata = v.pipe(
  Metadata,
  v.check(
    isWithinMetadataLimit,
    `must have at most ${maxMetadataBytes} bytes as JSON, where characters outside ASCII and < > & ' / count six`,
  ),
);

function isWithinMetadataLimit(metadata: Readonly<Record<string, unknown>>): boolean {
  try {
    const text = JSON.stringify(metadata);
    if (text.length > maxMetadataBytes) return false;
    // As `\u0026`: some writers escape all of these; a surrogate pair counts as two.
    return text.replace(/[^ -~]|[<>&'/]/g, '\\u0000').length <= maxMetadataBytes;
  } catch {
    // `canonicalJson` refuses what JSON cannot carry, with the reason.
    return true;
  }
}

/** An object with exactly these fields. Not `v.strictObject`, which accepts an array when every field is optional. */
export const exactObject = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.StrictObjectSchema<Entries, undefined> => rejectArrays(v.strictObject(entries));

/** The same object schema, but without arrays. */
export const rejectArrays = <const Schema extends v.GenericSchema<object>>(schema: Schema): Schema => ({
  ...schema,
  '~run'(dataset: Parameters<Schema['~run']>[0], config: Parameters<Schema['~run']>[1]) {
    // `this`, because `v.partial` copies the schema with other entries.
    return Array.isArray(dataset.value)
      ? NoList['~run'](dataset, config)
      : schema['~run'].call(this, dataset, config);
  },
});

/** An action that refuses an object without any field. `undefined`, which JSON cannot carry, counts as missing. */
export const atLeastOneField = <Input extends object>(message: string) =>
  v.check<Input, string>((input) => Object.values(input).some((value) => value !== undefined), message);

const NoList = v.custom<object>((value) => !Array.isArray(value), 'must be an object');

const unreadableAmount = 'must be a number; check dialect.amountUnit';

/** An amount from the service, in the dialect's unit until it is converted. */
export const WireAmount = v.pipe(v.number(unreadableAmount), v.finite(unreadableAmount));

/** An amount that is requested or charged. A negative one would reach shops and shoppers as money. */
export const WireCharge = v.pipe(
  WireAmount,
  v.check((amount) => amount >= 0, 'must not be negative'),
);

/** A fee. An unreadable one does not invalidate its record, which then lists it in `unreadableFees`. */
export const WireFee = v.pipe(v.number(), v.finite());

/** Interface, section 2.1: an amount in a request, in minor units. */
export const RequestAmount = exactObject({
  /** In minor units (kobo, cents): a whole number above 0. NGN 12,500.00 is `1250000`. */
  value: v.pipe(
    v.number(),
    v.safeInteger('must be a whole number of minor units'),
    v.minValue(1, 'must be above 0'),
  ),
  /** `NGN` or `USD`. */
  currency: oneOf(currencies),
});

/** Interface, section 2.1: an amount in a response. */
export const Amount = v.looseObject({ value: WireCharge, currency: v.string() });

export const Email = v.pipe(v.string(), v.rfcEmail('must be an e-mail address'));

/** The customer of a request (interface, sections 4.4 and 4.5). The interface does not say which of the fields are required. */
export const RequestCustomer = exactObject({
  /** An e-mail address. */
  email: v.optional(Email),
  /** Not empty. */
  name: v.optional(NonEmptyText),
});

/** Whether a text such as `2026-02-28` is an existing day. */
export function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const timestampPattern = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

const withOffset = (text: string): string =>
  timestampPattern.exec(text)?.[2] === undefined ? `${text}Z` : text;

/**
 * A timestamp as ISO 8601 in UTC. An offset is converted to `Z`, so that timestamps compare as text. A timestamp without an
 * offset is in UTC (interface, section 2), not in the server's own time zone.
 */
export const Timestamp = v.pipe(
  v.string(),
  v.check((text) => {
    const [, day = ''] = timestampPattern.exec(text) ?? [];
    return isCalendarDay(day) && !Number.isNaN(Date.parse(withOffset(text)));
  }, 'must be an ISO 8601 timestamp'),
  v.transform((text) => new Date(withOffset(text)).toISOString()),
);

/**
 * A response field that this code does not depend on. It may be missing or null, and an invalid value becomes `undefined`,
 * so that it does not invalidate the whole response.
 */
export const lenient = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(v.fallback(v.nullish(schema), undefined));

/**
 * Control, bidirectional and zero-width characters: a text with them is not what it seems. Joiners (U+200C, U+200D) belong to
 * the names of some scripts.
 */
const hiddenCharacter = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

const refuseHidden = <Text extends string | null | undefined>() =>
  v.check<Text, string>((text) => !hiddenCharacter.test(text ?? ''), 'must not have hidden characters');

/** A text of a response that a shopper compares with the bank's. */
export const ShownText = v.pipe(v.string(), refuseHidden());

/** As `ShownText`; missing or no text becomes `''`. */
export const ShownTextOrEmpty = v.pipe(v.optional(v.fallback(v.string(), ''), ''), refuseHidden());

/** The number of an account to pay into; may be empty. All banks of the service's countries use digits. */
export const AccountNumber = v.pipe(
  v.string(),
  v.check((text) => /^(\d[\d -]*)?$/.test(text), 'must have only digits, spaces and hyphens'),
);

type Lenient<Schema extends v.GenericSchema> =
  Schema extends v.PicklistSchema<infer Words extends readonly string[], v.ErrorMessage<v.PicklistIssue>>
    ? ReturnType<typeof openEnum<Words>>
    : Schema;

/**
 * The fields of a record, made lenient: each may be missing, enums may have new values, and invalid values become
 * `undefined`. The exceptions are the record's own amounts (`WireAmount`), because an unreadable amount must not look like no
 * money, and an account to pay into (`AccountNumber`, `ShownText`), which must not be another than it seems.
 */
export function lenientFields<const Fields extends v.ObjectEntries>(fields: Fields) {
  const relaxed = Object.entries(fields).map(([name, schema]) => [name, relax(schema)]);
  return Object.fromEntries(relaxed) as {
    [Name in keyof Fields]: ReturnType<typeof lenient<Lenient<Fields[Name]>>>;
  };
}

function relax(schema: v.ObjectEntries[string]): v.GenericSchema {
  if (schema === WireAmount || schema === AccountNumber) return v.nullish(schema);
  if (schema === ShownText) return v.pipe(lenient(v.string()), refuseHidden());
  return lenient(
    schema.type === 'picklist' ? openEnum((schema as v.PicklistSchema<string[], string>).options) : schema,
  );
}

/** Returns the names of a record's own amounts as `convertAmounts` takes them: with `?` after a fee. */
export const amountsIn = (fields: v.ObjectEntries): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const schema = unwrap(field);
    if (schema === WireFee) return `${name}?`;
    return schema === WireAmount || schema === WireCharge ? name : [];
  });

const unwrap = (schema: v.GenericSchema & { wrapped?: v.GenericSchema }): v.GenericSchema =>
  schema.wrapped === undefined ? schema : unwrap(schema.wrapped);

/** A nested object with lenient and unknown fields. `fields` keeps the strict schemas. */
export const lenientObject = <const Fields extends v.ObjectEntries>(fields: Fields) =>
  Object.assign(v.looseObject(lenientFields(fields)), { fields });

/** The last fields of every listed record. */
export const recordFields = { liveMode: v.boolean(), createdAt: Timestamp, updatedAt: Timestamp };
