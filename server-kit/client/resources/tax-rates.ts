import type { TaxRate, TaxRateListQuery } from '../api/tax-rate.ts';
import type { CallOptions } from '../options/call-options.ts';
import type { Call } from '../request/call.ts';
import { createListMethod, type List } from '../request/pagination.ts';

/** Tax rates (interface, sections 4.11 and 4.12). */
export type TaxRatesResource = {
  /** 4.11: lists tax rates, newest first. Bounds of `createdAt` are UNIX seconds. */
  list: (query?: TaxRateListQuery, options?: CallOptions) => List<TaxRate>;
  /** 4.12: retrieves a tax rate by its id. */
  retrieve: (id: string, options?: CallOptions) => Promise<TaxRate>;
};

export function createTaxRatesResource(call: Call): TaxRatesResource {
  return {
    list: createListMethod(call, 'taxRates.list'),
    retrieve: (id, options) => call('taxRates.retrieve', { path: { id } }, options),
  };
}
