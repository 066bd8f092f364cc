import * as v from 'valibot';
import { NonEmpty } from './non-empty.ts';
import { Account } from './session.ts';

/** What a browser may know of an account that belongs to one customer for good, while it takes money. */
export const DedicatedAccountView = v.object({
  account: v.object({ ...Account.entries, number: NonEmpty }),
  /** ISO 4217. */
  currency: v.pipe(
    v.string(),
    v.check((code) => /^[A-Z]{3}$/.test(code)),
  ),
  /** False in test mode. */
  liveMode: v.boolean(),
});
export type DedicatedAccountView = v.InferOutput<typeof DedicatedAccountView>;
