import * as v from 'valibot';
import { AppRegistration } from '../../api/app.ts';
import { DedicatedAccountRequest } from '../../api/dedicated-account.ts';
import { exactObject } from '../../api/fields.ts';
import { PaymentInitiationRequest } from '../../api/payment.ts';
import { describeIssues } from '../../errors/describe-issues.ts';
import type { SandboxControl } from '../control/control.ts';
import { SandboxError } from '../errors/sandbox-error.ts';
import { findFault } from '../http/request-body.ts';
import { operations } from '../operations/operations.ts';
import { DedicatedAccountSeed } from '../records/dedicated-account.ts';
import { InvoiceSeed } from '../records/invoice.ts';
import { PayoutSeed } from '../records/payout.ts';
import { TaxRateSeed } from '../records/tax-rate.ts';
import type { SandboxWorld } from '../world/world.ts';

const [individual, business] = DedicatedAccountRequest.options;
/** `true`, or fields of the account: the customer has consented. Left out, the request still waits. */
const consent = v.optional(v.lazy((input) => (input === true ? v.literal(true) : DedicatedAccountSeed)));

const listOf = <Schema extends v.GenericSchema>(item: Schema) => v.optional(v.array(item), []);

/** What a sandbox begins with. Each item is what the endpoint or the control call takes; amounts in minor units. */
export const Fixtures = exactObject({
  tax_rates: listOf(TaxRateSeed),
  /** 4.4 */
  payments: listOf(PaymentInitiationRequest),
  /** 4.1, and `consent`. */
  dedicated_accounts: listOf(
    v.variant(
      'accountType',
      [exactObject({ ...individual.entries, consent }), v.looseObject({ ...business.entries, consent })],
      DedicatedAccountRequest.message,
    ),
  ),
  payouts: listOf(PayoutSeed),
  invoices: listOf(InvoiceSeed),
  /** 4.13 */
  apps: listOf(AppRegistration),
});
export type Fixtures = v.InferInput<typeof Fixtures>;
type CheckedFixtures = v.InferOutput<typeof Fixtures>;

/**
 * Checks fixtures, such as those of a JSON file.
 *
 * @throws {TypeError} naming each place at fault, such as `payouts[2].amount`; also for what no body may hold
 */
export function readFixtures(json: unknown): CheckedFixtures {
  const fault = findFault(json);
  if (fault !== undefined) throw new TypeError(`The fixtures are wrong. They hold ${fault}.`);
  const result = v.safeParse(Fixtures, json);
  if (result.success) return result.output;
  const { text } = describeIssues(result.issues, 'fixtures');
  throw new TypeError(`The fixtures are wrong. ${text.replace(/\.(\d+)(?=[.:])/g, '[$1]')}.`);
}

type Makers = {
  [Name in keyof CheckedFixtures]: (
    item: CheckedFixtures[Name][number],
    control: SandboxControl,
    world: SandboxWorld,
  ) => unknown;
};

const makers: Makers = {
  tax_rates: (item, control) => control.createTaxRate(item),
  payments: (body, _control, world) =>
    operations['payments.initiate']({ parameters: {}, query: undefined, body }, world),
  dedicated_accounts({ consent: given, ...body }, control, world) {
    const input = { parameters: {}, query: undefined, body };
    const { accountRequestCode } = operations['dedicatedAccounts.create'](input, world);
    if (given === undefined) return;
    control.consentToDedicatedAccount(accountRequestCode, given === true ? {} : given);
  },
  payouts: (item, control) => control.createPayout(item),
  invoices: (item, control) => control.createInvoice(item),
  apps: (body, _control, world) =>
    operations['apps.register']({ parameters: {}, query: undefined, body }, world),
};

/**
 * Makes the records of the fixtures, in order.
 *
 * @throws {TypeError} naming the place of a record that cannot be made, such as one with a reference that is taken
 */
export function applyFixtures(fixtures: CheckedFixtures, control: SandboxControl, world: SandboxWorld): void {
  for (const [name, make] of Object.entries(makers) as [keyof Makers, Makers[keyof Makers]][]) {
    for (const [index, item] of fixtures[name].entries()) {
      try {
        make(item as never, control, world);
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error;
        const place = [`${name}[${index}]`, ...error.params.slice(0, 1)].join('.');
        throw new TypeError(`The fixtures are wrong. ${place}: ${error.message}`, { cause: error });
      }
    }
  }
}
