import { createTaxRate, type SandboxTaxRate, TaxRateSeed } from '../records/tax-rate.ts';
import { refuseKnownId } from '../storage/unique.ts';
import type { ControlCallsOf } from './control-call.ts';

export type TaxRatesControl = {
  /** Lists every tax rate, newest first. */
  listTaxRates: () => readonly SandboxTaxRate[];
  /**
   * Creates a tax rate, which no endpoint does.
   *
   * Refuses with `validation_failed`, `id_exists`.
   */
  createTaxRate: (input: TaxRateSeed) => SandboxTaxRate;
};

export const taxRateCalls: ControlCallsOf<TaxRatesControl> = {
  listTaxRates: { run: ({ state }) => state.taxRates.list() },
  createTaxRate: {
    request: TaxRateSeed,
    run({ state, mint, clock }, input) {
      const taxRate = createTaxRate(input, { mint, nowMs: clock.now() });
      refuseKnownId(taxRate.id, state.taxRates);
      return state.taxRates.put(taxRate);
    },
  },
};
