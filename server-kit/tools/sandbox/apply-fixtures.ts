import { controlCalls, operations } from './calls/registry.ts';
import { SandboxError } from './errors.ts';
import { type CheckedFixtures, invalidFixtures } from './settings/fixtures.ts';
import type { SandboxWorld } from './world/create-world.ts';

const toInput = <Body>(body: Body) => ({ parameters: {}, query: undefined, body });

const creators: {
  [Name in keyof CheckedFixtures]: (item: CheckedFixtures[Name][number], world: SandboxWorld) => unknown;
} = {
  tax_rates: (item, world) => controlCalls.createTaxRate.run(world, item),
  payments: (item, world) => operations['payments.initiate'](toInput(item), world),
  dedicated_accounts({ consent, ...item }, world) {
    const { accountRequestCode } = operations['dedicatedAccounts.create'](toInput(item), world);
    if (consent === undefined) return;
    controlCalls.consentToDedicatedAccount.run(world, accountRequestCode, consent === true ? {} : consent);
  },
  payouts: (item, world) => controlCalls.createPayout.run(world, item),
  invoices: (item, world) => controlCalls.createInvoice.run(world, item),
  apps: (item, world) => operations['apps.register'](toInput(item), world),
};

/**
 * Creates the records of the fixtures, in order. Stores all of them or none, because a storage that has records ignores
 * fixtures.
 *
 * @throws {CheckoutError} `invalid_options`, naming the first record that cannot be created, such as one whose reference exists already
 */
export function applyFixtures(fixtures: CheckedFixtures, world: SandboxWorld): void {
  for (const name of Object.keys(creators) as (keyof CheckedFixtures)[]) {
    for (const [index, item] of fixtures[name].entries()) {
      try {
        creators[name](item as never, world);
      } catch (error) {
        world.writer.discard();
        if (!(error instanceof SandboxError)) throw error;
        const place = [`${name}[${index}]`, ...error.params.slice(0, 1)].join('.');
        throw invalidFixtures(`${place}: ${error.message}`, { cause: error });
      }
    }
  }
}
