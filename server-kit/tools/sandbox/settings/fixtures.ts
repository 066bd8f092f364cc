import * as v from 'valibot';
import { CheckoutError } from '../../../../src/contract/index.ts';
import { PaymentInitiationRequest } from '../../../core/endpoints.ts';
import { parseOrThrow } from '../../../core/options.ts';
import { AppRegistration } from '../../../service/app.ts';
import { DedicatedAccountRequest } from '../../../service/dedicated-account.ts';
import { findUnsafeValue } from '../input/json-object.ts';
import { TaxRateSeed } from '../records/apps-and-tax-rates.ts';
import { DedicatedAccountSeed } from '../records/dedicated-account.ts';
import { InvoiceSeed } from '../records/invoice.ts';
import { PayoutSeed } from '../records/payout.ts';

const [individual, business] = DedicatedAccountRequest.options;
/** `true` or fields of the account where the customer has consented; without it the request stays open. */
const consent = v.optional(v.lazy((input) => (input === true ? v.literal(true) : DedicatedAccountSeed)));

const listOf = <Schema extends v.GenericSchema>(item: Schema) => v.optional(v.array(item), []);

/** The initial records. Each item is the input of its endpoint or control call, with amounts in minor units. */
export const Fixtures = v.strictObject({
  tax_rates: listOf(TaxRateSeed),
  /** 4.4 */
  payments: listOf(PaymentInitiationRequest),
  /** 4.1, and `consent`. */
  dedicated_accounts: listOf(
    v.variant(
      'accountType',
      [v.strictObject({ ...individual.entries, consent }), v.looseObject({ ...business.entries, consent })],
      DedicatedAccountRequest.message,
    ),
  ),
  payouts: listOf(PayoutSeed),
  invoices: listOf(InvoiceSeed),
  /** 4.13 */
  apps: listOf(AppRegistration),
});
export interface Fixtures extends v.InferInput<typeof Fixtures> {}
export type CheckedFixtures = v.InferOutput<typeof Fixtures>;

/**
 * Validates fixtures, such as those of a JSON file.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid place, such as `payouts[2].amount`; also for values that no body may
 *   hold
 */
export function readFixtures(json: unknown): CheckedFixtures {
  const fault = findUnsafeValue(json);
  if (fault !== undefined) throw invalidFixtures(`They hold ${fault}.`);
  return parseOrThrow(Fixtures, json, 'fixtures', (text) =>
    invalidFixtures(`${text.replace(/\.(\d+)(?=[.:])/g, '[$1]')}.`),
  );
}

export const invalidFixtures = (why: string, options?: ErrorOptions): CheckoutError =>
  new CheckoutError('invalid_options', `The fixtures are invalid. ${why}`, options);
