import { newTaxRate, type SandboxTaxRate, TaxRateSeed } from '../records/tax-rate.ts';
import type { SandboxWorld } from '../world/world.ts';
import { type ControlCall, controlCallsOf } from './control-call.ts';

export type TaxRatesControl = {
  /** Every tax rate, newest first. */
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

const call = controlCallsOf<TaxRatesControl>();

export const taxRateCalls = {
  listTaxRates: call({
    method: 'GET',
    path: '/_sandbox/tax_rates',
    summary: 'All tax rates, newest first: { data }',
    answer: (control) => ({ data: control.listTaxRates() }),
  }),
  createTaxRate: call({
    method: 'POST',
    path: '/_sandbox/tax_rates',
    summary: 'Makes a tax rate of a name and any other of its fields, and answers with it',
    request: TaxRateSeed,
    answer: (control, _parameters, body) => control.createTaxRate(body),
  }),
} satisfies Record<keyof TaxRatesControl, ControlCall<TaxRatesControl>>;
