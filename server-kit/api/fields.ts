import * as v from 'valibot';
import { parseWebUrl } from '../../src/contract/index.ts';

/** The currencies that requests may name (interface, section 2.1). */
export const currencies = ['NGN', 'USD'] as const;
export type Currency = (typeof currencies)[number];

/** A word from a list that the service may lengthen: the known ones complete in an editor, others pass as they are. */
export type OpenEnum<Known extends string> = Known | (string & {});

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
  currency: v.picklist(currencies, `must be one of ${currencies.join(', ')}`),
});

/** 2.1 Amount in a response. */
export const Amount = v.looseObject({ value: WireAmount, currency: v.string() });

/** The customer of a request (4.4, 4.5). */
export const RequestCustomer = v.strictObject({
  email: v.pipe(v.string(), v.email('must be an e-mail address')),
  name: NonEmptyText,
});

/** A field that the service may leave out or send as null. */
export const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.nullish(schema);
