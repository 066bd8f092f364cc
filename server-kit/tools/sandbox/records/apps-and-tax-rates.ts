import * as v from 'valibot';
import { NonEmptyText } from '../../../core/fields.ts';
import type { AppRegistration, appFields } from '../../../service/app.ts';
import { taxRateFields } from '../../../service/tax-rate.ts';
import { invalidParams } from '../errors.ts';
import { parseInput } from '../input/fields.ts';
import { createSeedSchema, overlay, type RecordOf } from '../input/seed.ts';
import { toIso } from '../state/clock.ts';
import type { NewRecordParts } from '../state/mint.ts';

export type SandboxApp = RecordOf<typeof appFields>;

export function createApp(registration: AppRegistration, { mint, nowMs }: NewRecordParts): SandboxApp {
  const createdAt = toIso(nowMs);
  const { name, icon, base64Icon, scheme } = registration;
  return overlay<SandboxApp>(
    {
      id: mint.id('app'),
      name,
      icon,
      base64Icon,
      scheme,
      bankingType: null,
      iosTeamId: null,
      iosBundleId: null,
      andriodPackageName: null,
      andriodCertFingerprints: null,
      publicKey: `pk_app_${mint.token(24)}`,
      liveMode: false,
      createdAt,
      updatedAt: createdAt,
    },
    registration,
  );
}

/** A stored tax rate (2.9). Amounts are in minor units. */
export type SandboxTaxRate = RecordOf<typeof taxRateFields, 'createdAt' | 'taxType'>;

/** Value added tax in Nigeria, in percent. */
const usualPercentage = 7.5;

/** Any field of 2.9; only `name` is required. `percentage` is from 0 to 100, `fixedAmount` in minor units. */
export const TaxRateSeed = createSeedSchema(taxRateFields, {
  name: NonEmptyText,
  percentage: v.nullish(
    v.pipe(v.number(), v.minValue(0, 'must not be below 0'), v.maxValue(100, 'must be at most 100')),
  ),
});
export type TaxRateSeed = v.InferInput<typeof TaxRateSeed>;

/** Creates a tax rate: a fixed amount where the seed has a `fixedAmount`, otherwise a percentage. Throws 422 `validation_failed` */
export function createTaxRate(input: TaxRateSeed, { mint, nowMs }: NewRecordParts): SandboxTaxRate {
  const seed = parseInput(TaxRateSeed, input);
  const hasAmount = (seed.fixedAmount ?? null) !== null;
  const rateType = seed.rateType ?? (hasAmount ? 'fixed_amount' : 'percentage');
  if (rateType === 'fixed_amount' && !hasAmount) {
    throw invalidParams(['fixedAmount'], 'Correct the request: fixedAmount: is missing.');
  }
  const createdAt = seed.createdAt ?? toIso(nowMs);
  return overlay<SandboxTaxRate>(
    {
      id: mint.id('txr'),
      name: seed.name,
      active: true,
      inclusive: false,
      description: null,
      percentage: rateType === 'percentage' ? usualPercentage : null,
      taxType: 'vat',
      rateType,
      fixedAmount: null,
      metadata: {},
      liveMode: false,
      createdAt,
      updatedAt: createdAt,
    },
    seed,
  );
}
