import * as v from 'valibot';
import { parseWebUrl } from '../../src/contract/index.ts';

/** The currencies that requests may name (interface, section 2.1). */
export const currencies = ['NGN', 'USD'] as const;
export type Currency = (typeof currencies)[number];

/** A word from a list that the service may lengthen: the known ones complete in an editor, others pass as they are. */
export type OpenEnum<Known extends string> = Known | (string & {});

/**
 * One of a list of words, in what is sent. In what is received `tolerant` turns it into a text that may be any other
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

/** An absolute http(s) URL. `javascript:` and the like never pass. */
export const WebUrl = v.pipe(
  v.string(),
  v.check((text) => parseWebUrl(text) !== undefined, 'must be an absolute http(s) URL'),
);

/** A free-form JSON object. Not `v.record`, which drops keys such as `constructor` after they have been signed. */
export const Metadata = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/** A number that the service sends for an amount; the unit is the dialect's until it has been converted. */
export const WireAmount = v.pipe(v.number(), v.finite());

/** 2.1 Amount in a request: minor units, checked before it is converted. */
export const RequestAmount = v.strictObject({
  value: v.pipe(
    v.number(),
    v.safeInteger('must be a whole number of minor units'),
    v.minValue(1, 'must be above 0'),
  ),
  currency: oneOf(currencies),
});

/** 2.1 Amount in a response. */
export const Amount = v.looseObject({ value: WireAmount, currency: v.string() });

export const Email = v.pipe(v.string(), v.email('must be an e-mail address'));

/** The customer of a request (4.4, 4.5). */
export const RequestCustomer = v.strictObject({
  email: Email,
  name: NonEmptyText,
});

/**
 * A moment of the service as ISO 8601 in UTC. An offset is accepted and turned into `Z`, so that moments compare and
 * reach the browser in one form; a moment without one is refused, because it would be read in the server's own zone.
 */
export const Timestamp = v.pipe(
  v.string(),
  v.check(
    (text) => /T.+(Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
    'must be a moment in ISO 8601',
  ),
  v.transform((text) => new Date(text).toISOString()),
);

/**
 * A field of an answer that nothing of ours depends on. It may be missing or null, and where it is not what the interface
 * says it is `undefined`, because an answer must not be lost over a field that nobody reads.
 */
export const maybe = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(v.fallback(v.nullish(schema), undefined));

type Tolerant<Schema extends v.GenericSchema> =
  Schema extends v.PicklistSchema<infer Words extends readonly string[], v.ErrorMessage<v.PicklistIssue>>
    ? ReturnType<typeof openEnum<Words>>
    : Schema;

/**
 * The fields of a record as an answer may hold them: each may be missing, and a word may be one that is not known yet.
 * Nothing of ours depends on them, so that none can make a whole answer unreadable.
 */
export function tolerant<const Fields extends v.ObjectEntries>(fields: Fields) {
  const relaxed = Object.entries(fields).map(([name, schema]) => [
    name,
    maybe(
      schema.type === 'picklist' ? openEnum((schema as v.PicklistSchema<string[], string>).options) : schema,
    ),
  ]);
  return Object.fromEntries(relaxed) as {
    [Name in keyof Fields]: ReturnType<typeof maybe<Tolerant<Fields[Name]>>>;
  };
}

/**
 * An object within a record: `tolerant` too, and with the fields that are not known. `fields` are as they were given, for
 * whoever must be strict.
 */
export const part = <const Fields extends v.ObjectEntries>(fields: Fields) =>
  Object.assign(v.looseObject(tolerant(fields)), { fields });

/** The fields that every record of a list ends with. */
export const recordFields = { liveMode: v.boolean(), createdAt: Timestamp, updatedAt: Timestamp };
