import * as v from 'valibot';
import { Money } from './money.ts';
import { NonEmpty } from './non-empty.ts';
import { Account } from './session.ts';

/** What a browser may know of an account that belongs to one customer for good, while it takes money. */
export const DedicatedAccountView = v.object({
  account: v.object({ ...Account.entries, number: NonEmpty }),
  /** ISO 4217, in capitals. */
  currency: Money.entries.currency,
  /** False in test mode. */
  liveMode: v.boolean(),
});
export type DedicatedAccountView = v.InferOutput<typeof DedicatedAccountView>;
