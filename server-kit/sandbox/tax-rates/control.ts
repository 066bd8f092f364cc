import type { ControlCall } from '../control-call.ts';
import type { SandboxWorld } from '../world.ts';
import { newTaxRate, type SandboxTaxRate, TaxRateSeed } from './tax-rate.ts';

export type TaxRatesControl = {
  /** Every tax rate, the last made first. */
  listTaxRates: () => readonly SandboxTaxRate[];
  /**
   * Makes a tax rate. No endpoint does.
   *
   * Refuses with `validation_failed`, `id_exists`.
   */
  createTaxRate: (input: TaxRateSeed) => SandboxTaxRate;
};

export const createTaxRatesControl = (world: SandboxWorld): TaxRatesControl => ({
  listTaxRates: () => world.state.taxRates.list(),
  createTaxRate: (input) => world.state.taxRates.put(newTaxRate(world, input)),
});

export const taxRateCalls = {
  listTaxRates: {
    method: 'GET',
    path: '/_sandbox/tax_rates',
    summary: 'All tax rates, the last made first: { data }',
    answer: (control) => ({ data: control.listTaxRates() }),
  },
  createTaxRate: {
    method: 'POST',
    path: '/_sandbox/tax_rates',
    summary: 'Makes a tax rate of a name and any other of its fields, and answers with it',
    request: TaxRateSeed,
    answer: (control, _parameters, body) => control.createTaxRate(body as TaxRateSeed),
  },
} as const satisfies Record<keyof TaxRatesControl, ControlCall<TaxRatesControl>>;
