import * as v from 'valibot';
import { NonEmpty } from './fields.ts';
import { Money } from './money.ts';
import { Account } from './session.ts';
import { wireObject } from './wire-object.ts';

/** The browser's view of a dedicated account: an open account that belongs to one customer permanently. */
export const DedicatedAccountView = wireObject({
  account: wireObject({ ...Account.entries, number: NonEmpty }),
  /** ISO 4217, in capitals. */
  currency: Money.entries.currency,
  /** False in test mode. */
  liveMode: v.boolean(),
});
export type DedicatedAccountView = v.InferOutput<typeof DedicatedAccountView>;
