import * as v from 'valibot';
import type { CallOptions } from '../core/call.ts';
import type { PaymentsClient } from '../core/client.ts';
import { Metadata, NonEmptyText, oneOf, WireAmount } from '../core/fields.ts';
import { amountsIn, type DocumentedEndpoint, lenientFields, recordFields } from './fields.ts';
import { type List, type ListEndpoint, listFields, listRecords } from './list.ts';

const taxTypes = ['vat', 'sales_tax'] as const;
export type TaxType = (typeof taxTypes)[number];

/** Interface, section 2.9: every field but the id. */
export const taxRateFields = {
  name: v.string(),
  active: v.boolean(),
  inclusive: v.boolean(),
  description: v.string(),
  /** In percent: 7.5 is 7.5 %. */
  percentage: v.number(),
  taxType: oneOf(taxTypes),
  rateType: oneOf(['fixed_amount', 'percentage']),
  fixedAmount: WireAmount,
  metadata: Metadata,
  ...recordFields,
};

const taxRateAmounts = amountsIn(taxRateFields);

/** Interface, section 2.9: a tax rate. */
export const TaxRate = v.looseObject({ id: NonEmptyText, ...lenientFields(taxRateFields) });
export type TaxRate = v.InferOutput<typeof TaxRate>;

/** Interface, section 4.11: the filters of the list. */
export const TaxRateListQuery = v.strictObject({
  ...listFields,
  taxType: v.optional(oneOf(taxTypes)),
});
export type TaxRateListQuery = v.InferInput<typeof TaxRateListQuery>;

const taxRate = {
  method: 'GET',
  auth: 'signature',
  response: TaxRate,
  amounts: { response: taxRateAmounts },
} as const;

export const taxRateEndpoints = {
  'taxRates.list': {
    operation: 'taxRates.list',
    section: '4.11',
    summary: 'Lists tax rates, newest first',
    path: '/v1/tax_rates',
    query: TaxRateListQuery,
    ...taxRate,
  },
  'taxRates.retrieve': {
    operation: 'taxRates.retrieve',
    section: '4.12',
    summary: 'Retrieves a tax rate',
    path: '/v1/tax_rates/{id}',
    ...taxRate,
  },
} as const satisfies Record<string, DocumentedEndpoint | ListEndpoint>;

/** 4.11: lists tax rates, newest first. Bounds of `createdAt` are UNIX seconds. */
export const listTaxRates = (
  client: PaymentsClient,
  query?: TaxRateListQuery,
  of?: CallOptions,
): List<TaxRate> => listRecords(client, taxRateEndpoints['taxRates.list'], query, of);

/** 4.12: retrieves a tax rate by its id. */
export const retrieveTaxRate = (client: PaymentsClient, id: string, of?: CallOptions): Promise<TaxRate> =>
  client.call(taxRateEndpoints['taxRates.retrieve'], { path: { id } }, of);
