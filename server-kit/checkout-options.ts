import * as v from 'valibot';
import { CheckoutError, parseWebUrl } from '../src/contract/index.ts';
import type { CheckoutOptions } from './checkout.ts';
import { createDialect, type Dialect } from './dialect.ts';
import { describeIssues } from './issues.ts';

const minKeyLength = 32;

const aFunction = (hint: string) =>
  v.custom((value) => typeof value === 'function', `must be a function${hint}`);
const objectWith = (method: string, hint: string) =>
  v.custom((value) => typeof (value as Record<string, unknown> | undefined)?.[method] !== 'undefined', hint);

/** What a merchant can get wrong. A name that is not here is a typing error, and would go unnoticed for ever. */
const OptionsSchema = v.strictObject({
  payments: objectWith('payments', 'must be what createPaymentsClient() returns'),
  store: objectWith('insert', 'must be a store; createMemoryStore() will do for a first try'),
  clientSecretKeys: v.pipe(
    v.array(v.pipe(v.string(), v.minLength(minKeyLength, `must have at least ${minKeyLength} characters`))),
    v.minLength(1, 'must hold at least one key; make one with: openssl rand -hex 32'),
  ),
  createPayment: aFunction(' that returns the order to pay'),
  publicUrl: v.custom(
    (value) => parseWebUrl(value) !== undefined,
    'must be the http(s) address of the shop, such as https://shop.example',
  ),
  dialect: v.optional(v.custom((value) => typeof value === 'object', 'must be an object')),
  lookIntervalMs: v.optional(
    v.pipe(v.number(), v.safeInteger('must be whole milliseconds'), v.minValue(100), v.maxValue(60_000)),
  ),
  onPaid: v.optional(aFunction('')),
  onUnexpectedMoney: v.optional(aFunction('')),
  onError: v.optional(aFunction('')),
  now: v.optional(aFunction('')),
  wait: v.optional(aFunction('')),
  randomBytes: v.optional(aFunction('')),
});

/**
 * @throws {CheckoutError} `invalid_options`, naming each option that is wrong or does not exist, and what to pass
 */
export function checkCheckoutOptions(options: CheckoutOptions): void {
  const result = v.safeParse(OptionsSchema, options);
  if (result.success) return;
  const { text } = describeIssues(result.issues, 'options');
  throw new CheckoutError('invalid_options', `createCheckout cannot work with these options. ${text}.`);
}

/**
 * The client's dialect with the checkout's own choices. Only how `chargedAmount` is read is the checkout's to choose;
 * all else is decided where requests are made.
 *
 * @throws {CheckoutError} `invalid_options` for a choice that contradicts the client's
 */
export function combineDialects(
  client: Readonly<Dialect>,
  choices: Partial<Dialect> = {},
): Readonly<Dialect> {
  const { chargedAmountBasis, ...others } = choices;
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined && value !== client[name as keyof Dialect]) {
      const message = `dialect.${name} is "${client[name as keyof Dialect]}" in the payments client; set it there.`;
      throw new CheckoutError('invalid_options', message);
    }
  }
  return createDialect({ ...client, ...(chargedAmountBasis && { chargedAmountBasis }) });
}
