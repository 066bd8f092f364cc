import * as v from 'valibot';
import { Money, NonEmpty } from './fields.ts';
import { Account } from './session.ts';

/** The browser's view of a dedicated account: an open account that belongs to one customer permanently. */
export const DedicatedAccountView = v.object({
  account: v.object({ ...Account.entries, number: NonEmpty }),
  /** ISO 4217, in capitals. */
  currency: Money.entries.currency,
  /** False in test mode. */
  liveMode: v.boolean(),
});
export type DedicatedAccountView = v.InferOutput<typeof DedicatedAccountView>;
