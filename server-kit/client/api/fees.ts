import type * as v from 'valibot';

/** What the client adds to a record with fees. */
export type UnreadableFees<Fee extends string> = {
  /**
   * The fees that the service sent but that are not whole numbers of minor units; their fields are `undefined`. Absent when
   * all fees could be read.
   */
  unreadableFees?: readonly Fee[];
};

/** Marks the schema's fee fields: an unreadable fee does not make the whole record invalid. */
export const withFees = <const Schema extends v.GenericSchema, const Fees extends readonly string[]>(
  schema: Schema,
  fees: Fees,
) =>
  Object.assign(schema, { fees }) as Schema & { fees: Fees } & {
    readonly '~types'?: { input: unknown; output: UnreadableFees<Fees[number]>; issue: never } | undefined;
  };

/** The names of a record's fee fields. */
export const feesOf = (schema: v.GenericSchema): readonly string[] =>
  'fees' in schema ? (schema.fees as readonly string[]) : [];

/**
 * Adds `unreadableFees` to a record whose fees were sent but could not be read. Drops a field of that name that came from
 * the service.
 */
export function markUnreadableFees(record: unknown, fees: readonly string[]): unknown {
  if (fees.length === 0) return record;
  const { unreadableFees: _, ...marked } = record as Record<string, unknown>;
  const unreadable = fees.filter((fee) => Object.hasOwn(marked, fee) && marked[fee] === undefined);
  return unreadable.length === 0 ? marked : { ...marked, unreadableFees: unreadable };
}
