import type { SandboxControl } from './control/control.ts';
import { SandboxError } from './errors/sandbox-error.ts';
import { operations } from './operations/operations.ts';
import type { CheckedFixtures } from './settings/fixtures.ts';
import type { SandboxWorld } from './world/world.ts';

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
