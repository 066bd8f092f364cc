import * as v from 'valibot';
import {
  amountsIn,
  exactObject,
  lenientFields,
  Metadata,
  NonEmptyText,
  oneOf,
  recordFields,
  WireAmount,
} from './fields.ts';
import { listFields, pageOf } from './list.ts';

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

/** The field of a tax rate with an amount. */
export const taxRateAmounts = amountsIn(taxRateFields);

/** Interface, section 2.9: a tax rate. */
export const TaxRate = v.looseObject({ id: NonEmptyText, ...lenientFields(taxRateFields) });
export type TaxRate = v.InferOutput<typeof TaxRate>;

/** Interface, section 4.11: the filters of the list. */
export const TaxRateListQuery = exactObject({
  ...listFields,
  taxType: v.optional(oneOf(taxTypes)),
});
export type TaxRateListQuery = v.InferInput<typeof TaxRateListQuery>;

/** Interface, section 2.11: a page of tax rates. */
export const TaxRatePage = pageOf(TaxRate);
