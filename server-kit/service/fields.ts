import * as v from 'valibot';
import type { Endpoint } from '../core/endpoints.ts';
import {
  AccountNumber,
  lenient,
  openEnum,
  ShownText,
  Timestamp,
  WireAmount,
  WireCharge,
} from '../core/fields.ts';

/** The policies of `acceptedAmountPolicy` (interface, section 2.5). */
export const acceptedAmountPolicies = [
  'ACCEPTED_AMOUNT_POLICY_FIXED',
  'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
  'ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS',
  'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY',
] as const;
export type AcceptedAmountPolicy = (typeof acceptedAmountPolicies)[number];

/** How a payment was made (interface, section 2.5). */
export const paymentMethods = [
  'pay_with_transfer',
  'card',
  'dedicated_virtual_account',
  'invoice_payment_account',
  'bank_transfer',
] as const;
export type PaymentMethod = (typeof paymentMethods)[number];
export const paymentChannels = ['checkout', 'terminal', 'api', 'bank_account'] as const;
export type PaymentChannel = (typeof paymentChannels)[number];

/** An endpoint with its section of docs/reference/service-interface.md, and one line for the documentation. */
export type DocumentedEndpoint = Endpoint & { section: string; summary: string };

/** An action that refuses an object without any field. `undefined`, which JSON cannot carry, counts as missing. */
export const atLeastOneField = <Input extends object>(message: string) =>
  v.check<Input, string>((input) => Object.values(input).some((value) => value !== undefined), message);

/** A fee. An unreadable one does not invalidate its record. */
export const WireFee = v.pipe(v.number(), v.safeInteger());

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
  if (schema === WireAmount) return v.nullish(schema);
  // A closed account may have no number any more.
  if (schema === AccountNumber) return v.nullish(v.union([v.literal(''), AccountNumber]));
  if (schema === ShownText)
    return v.pipe(
      lenient(v.string()),
      v.check((text) => v.is(ShownText, text ?? ''), 'must not have hidden characters'),
    );
  return lenient(
    schema.type === 'picklist' ? openEnum((schema as v.PicklistSchema<string[], string>).options) : schema,
  );
}

/** Returns the names of a record's own amounts. */
export const amountsIn = (fields: v.ObjectEntries): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const schema = unwrap(field);
    return schema === WireFee || schema === WireAmount || schema === WireCharge ? name : [];
  });

const unwrap = (schema: v.GenericSchema & { wrapped?: v.GenericSchema }): v.GenericSchema =>
  schema.wrapped === undefined ? schema : unwrap(schema.wrapped);

/** A nested object with lenient and unknown fields. `fields` keeps the strict schemas. */
export const lenientObject = <const Fields extends v.ObjectEntries>(fields: Fields) =>
  Object.assign(v.looseObject(lenientFields(fields)), { fields });

/** Interface, section 2.2: the customer of a payment, which responses carry unchecked. */
export const Customer = lenientObject({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  phoneNumber: v.string(),
  address: v.string(),
  reference: v.string(),
  isBlacklisted: v.boolean(),
  liveMode: v.boolean(),
});

/** The last fields of every listed record. */
export const recordFields = { liveMode: v.boolean(), createdAt: Timestamp, updatedAt: Timestamp };
