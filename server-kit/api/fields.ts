import * as v from 'valibot';
import { parseWebUrl } from '../../src/contract/index.ts';

/** The currencies that requests may name (interface, section 2.1). */
export const currencies = ['NGN', 'USD'] as const;
export type Currency = (typeof currencies)[number];

/** A word from a list that the service may lengthen: the known ones complete in an editor, others pass as they are. */
export type OpenEnum<Known extends string> = Known | (string & {});

/**
 * One of a list of words, in what is sent. In what is received `lenientFields` turns it into a text that may be any other
 * word too.
 */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be one of ${words.join(', ')}`);

/** A word of an answer: one that is known, or any other text. The known ones are its examples, for documentation. */
export const openEnum = <const Words extends readonly string[]>(words: Words) =>
  v.pipe(
    v.custom<OpenEnum<Words[number]>>((value) => typeof value === 'string' && value !== '', 'must be a text'),
    v.examples<OpenEnum<Words[number]>, Words>(words),
  );

export const NonEmptyText = v.pipe(v.string(), v.minLength(1, 'must not be empty'));

/** An id, or the merchant's own reference. It has to fit into a path as well, or it could be sent once and never asked for. */
export const Identifier = v.pipe(
  NonEmptyText,
  // A URL parser would take "." and ".." for steps in the path, and sign another one than it sends.
  v.check((text) => text !== '.' && text !== '..', 'must not be "." or ".."'),
  v.check((text) => !/\p{Surrogate}/u.test(text), 'must not hold half of a surrogate pair'),
);

/**
 * An absolute http(s) URL without credentials, which others will read as we do. `javascript:` and the like never pass, and
 * neither does what a URL parser would have to mend first.
 */
export const WebUrl = v.pipe(
  v.string(),
  v.check((text) => {
    const url = /^https?:\/\/[^\s\p{Cc}\\/][^\s\p{Cc}\\]*$/iu.test(text) ? parseWebUrl(text) : undefined;
    return url?.username === '' && url.password === '';
  }, 'must be an absolute http(s) URL without credentials and blanks'),
);

/** Whether this is `{...}`, of any realm: no Map, no Date, no instance of a class, whose JSON is seldom what was meant. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * A free-form JSON object. Not `v.record`, which drops keys such as `constructor` after they have been signed. What is given
 * is an `object`, because a value of an `interface` type is no `Record`.
 */
export const Metadata = v.custom<object>(
  (value) => isPlainObject(value) && typeof value.toJSON !== 'function',
  'must be a plain object',
) as v.GenericSchema<object, Readonly<Record<string, unknown>>>;

/**
 * The most `metadata` that a request may carry, in bytes of the longest JSON that a writer may make of it: the responses about
 * the payment repeat it, and the client reads 64 KB of one record.
 */
export const maxMetadataBytes = 32_768;

/** `Metadata` of a request, which the responses about the same payment have room for. */
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
    // As `\u0026`: some writers escape all of these, and a pair of surrogates is two.
    return text.replace(/[^ -~]|[<>&'/]/g, '\\u0000').length <= maxMetadataBytes;
  } catch {
    // What JSON cannot carry is refused with its reason where the request is written.
    return true;
  }
}

/**
 * An object with these fields and no others. Not `v.strictObject`, which takes a list for an object where no field must be
 * there.
 */
export const exactObject = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.StrictObjectSchema<Entries, undefined> => rejectArrays(v.strictObject(entries));

/** The same schema of an object, but without lists. */
export const rejectArrays = <const Schema extends v.GenericSchema<object>>(schema: Schema): Schema => ({
  ...schema,
  '~run'(dataset: Parameters<Schema['~run']>[0], config: Parameters<Schema['~run']>[1]) {
    // With `this`, because `v.partial` makes a copy with other entries.
    return Array.isArray(dataset.value)
      ? NoList['~run'](dataset, config)
      : schema['~run'].call(this, dataset, config);
  },
});

const NoList = v.custom<object>((value) => !Array.isArray(value), 'must be an object');

const unreadableAmount = 'must be a number; check dialect.amountUnit';

/** A number that the service sends for an amount; the unit is the dialect's until it has been converted. */
export const WireAmount = v.pipe(v.number(unreadableAmount), v.finite(unreadableAmount));

/** An amount that is asked for or charged. A negative one would reach shops and shoppers as money. */
export const WireCharge = v.pipe(
  WireAmount,
  v.check((amount) => amount >= 0, 'must not be negative'),
);

/** A fee: one that cannot be read does not lose its record, which names it in `unreadableFees` (`fees.ts`). */
export const WireFee = v.pipe(v.number(), v.finite());

/** 2.1 Amount in a request: minor units, checked before it is converted. */
export const RequestAmount = exactObject({
  value: v.pipe(
    v.number(),
    v.safeInteger('must be a whole number of minor units'),
    v.minValue(1, 'must be above 0'),
  ),
  currency: oneOf(currencies),
});

/** 2.1 Amount in a response. */
export const Amount = v.looseObject({ value: WireCharge, currency: v.string() });

export const Email = v.pipe(v.string(), v.rfcEmail('must be an e-mail address'));

/** The customer of a request (4.4, 4.5). */
export const RequestCustomer = exactObject({
  email: Email,
  name: NonEmptyText,
});

/** Whether a text such as `2026-02-28` is a day that exists. */
export function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const momentForm = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * A moment of the service as ISO 8601 in UTC. An offset is accepted and turned into `Z`, so that moments compare and
 * reach the browser in one form; a moment without one is refused, because it would be read in the server's own zone.
 */
export const Timestamp = v.pipe(
  v.string(),
  v.check((text) => {
    const [, day = ''] = momentForm.exec(text) ?? [];
    return isCalendarDay(day) && !Number.isNaN(Date.parse(text));
  }, 'must be a moment in ISO 8601'),
  v.transform((text) => new Date(text).toISOString()),
);

/**
 * A field of an answer that nothing of ours depends on. It may be missing or null, and where it is not what the interface
 * says it is `undefined`, because an answer must not be lost over a field that nobody reads.
 */
export const lenient = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(v.fallback(v.nullish(schema), undefined));

/** The text of an answer that may be left out; then, and where it is no text, it is empty. */
export const TextOrEmpty = v.optional(v.fallback(v.string(), ''), '');

type Lenient<Schema extends v.GenericSchema> =
  Schema extends v.PicklistSchema<infer Words extends readonly string[], v.ErrorMessage<v.PicklistIssue>>
    ? ReturnType<typeof openEnum<Words>>
    : Schema;

/**
 * The fields of a record as an answer may hold them: each may be missing, and a word may be one that is not known yet.
 * Nothing of ours depends on them, so that none can make a whole answer unreadable; but for the record's own amounts
 * (`WireAmount`): money that came and cannot be read must not pass for money that did not come.
 */
export function lenientFields<const Fields extends v.ObjectEntries>(fields: Fields) {
  const relaxed = Object.entries(fields).map(([name, schema]) => [name, relax(schema)]);
  return Object.fromEntries(relaxed) as {
    [Name in keyof Fields]: ReturnType<typeof lenient<Lenient<Fields[Name]>>>;
  };
}

function relax(schema: v.ObjectEntries[string]): v.GenericSchema {
  if (schema === WireAmount) return v.nullish(WireAmount);
  return lenient(
    schema.type === 'picklist' ? openEnum((schema as v.PicklistSchema<string[], string>).options) : schema,
  );
}

/**
 * An object within a record: `lenientFields` too, and with the fields that are not known. `fields` are as they were given, for
 * whoever must be strict.
 */
export const lenientObject = <const Fields extends v.ObjectEntries>(fields: Fields) =>
  Object.assign(v.looseObject(lenientFields(fields)), { fields });

/** The fields that every record of a list ends with. */
export const recordFields = { liveMode: v.boolean(), createdAt: Timestamp, updatedAt: Timestamp };
