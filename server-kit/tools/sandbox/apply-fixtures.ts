import type { SandboxControl } from './calls/control.ts';
import { operations } from './calls/operations.ts';
import { SandboxError } from './errors/sandbox-error.ts';
import { type CheckedFixtures, invalidFixtures } from './settings/fixtures.ts';
import type { SandboxWorld } from './world/world.ts';

type Creators = {
  [Name in keyof CheckedFixtures]: (
    item: CheckedFixtures[Name][number],
    control: SandboxControl,
    world: SandboxWorld,
  ) => unknown;
};

const creators: Creators = {
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
 * Creates the records of the fixtures, in order. Stores all of them or none, because a storage that has records ignores
 * fixtures.
 *
 * @throws {CheckoutError} `invalid_options`, naming the first record that cannot be created, such as one whose reference exists already
 */
export function applyFixtures(fixtures: CheckedFixtures, control: SandboxControl, world: SandboxWorld): void {
  for (const [name, create] of Object.entries(creators) as [keyof Creators, Creators[keyof Creators]][]) {
    for (const [index, item] of fixtures[name].entries()) {
      try {
        create(item as never, control, world);
      } catch (error) {
        world.journal.discard();
        if (!(error instanceof SandboxError)) throw error;
        const place = [`${name}[${index}]`, ...error.params.slice(0, 1)].join('.');
        throw invalidFixtures(`${place}: ${error.message}`, { cause: error });
      }
    }
  }
}
