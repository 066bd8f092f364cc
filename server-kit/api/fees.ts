import type * as v from 'valibot';
import { PaymentsError } from '../errors/payments-error.ts';

/** What the client adds to a record with fees. */
export type UnreadableFees<Fee extends string> = {
  /**
   * The fees that the service sent and that are no whole number of minor units: each is `undefined`, as one that was not sent
   * is. Missing where every fee could be read.
   */
  unreadableFees?: readonly Fee[];
};

/** The schema of a record whose `fees`, these fields, may be unreadable without losing the record. */
export const withFees = <const Schema extends v.GenericSchema, const Fees extends readonly string[]>(
  schema: Schema,
  fees: Fees,
) =>
  Object.assign(schema, { fees }) as Schema & { fees: Fees } & {
    readonly '~types'?: { input: unknown; output: UnreadableFees<Fees[number]>; issue: never } | undefined;
  };

/** The names of a record's fees; none for a record without any. */
export const feesOf = (schema: v.GenericSchema): readonly string[] =>
  'fees' in schema ? (schema.fees as readonly string[]) : [];

/**
 * The record with `unreadableFees` where a fee came that could not be read: it is there, and `undefined`. A field of that
 * name is the client's own, and is not taken from the service.
 */
export function markUnreadableFees(record: unknown, fees: readonly string[]): unknown {
  if (fees.length === 0) return record;
  const { unreadableFees: _, ...marked } = record as Record<string, unknown>;
  const unreadable = fees.filter((fee) => Object.hasOwn(marked, fee) && marked[fee] === undefined);
  return unreadable.length === 0 ? marked : { ...marked, unreadableFees: unreadable };
}

/**
 * Refuses a record with a fee that could not be read. Where `dialect.chargedAmountBasis` is `net`, a missing fee would make the
 * paid amount too low.
 *
 * @throws {PaymentsError} `invalid_response`, naming each fee
 */
export function requireReadableFees(
  { unreadableFees }: UnreadableFees<string>,
  operation = 'payments.verify',
): void {
  if (unreadableFees === undefined) return;
  const message = `The response to ${operation} has a fee that cannot be read (${unreadableFees.join(', ')}), and dialect.chargedAmountBasis is "net"; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', message, { operation, params: unreadableFees });
}
