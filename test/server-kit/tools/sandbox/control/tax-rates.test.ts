import { describe, expect, it } from 'vitest';
import { call, controlCall, newSandbox } from '../sandbox-kit.ts';

describe('a tax rate', () => {
  it('is created from a name alone, with every field', async () => {
    const sandbox = newSandbox();
    const { body } = await controlCall(sandbox, '/_sandbox/tax_rates', { name: 'VAT' });
    expect(body).toEqual({
      id: expect.stringMatching(/^txr_/),
      name: 'VAT',
      active: true,
      inclusive: false,
      description: null,
      percentage: 7.5,
      taxType: 'vat',
      rateType: 'percentage',
      fixedAmount: null,
      metadata: {},
      liveMode: false,
      createdAt: '2026-01-02T09:30:00.000Z',
      updatedAt: '2026-01-02T09:30:00.000Z',
    });
    expect((await call(sandbox, `/v1/tax_rates/${body.id}`)).body).toEqual(body);
  });

  it('is a fixed amount in the unit of the dialect when the seed has one', async () => {
    const sandbox = newSandbox({ dialect: { amountUnit: 'major' } });
    const made = sandbox.control.createTaxRate({ name: 'Levy', fixedAmount: 5050, taxType: 'sales_tax' });
    expect(made).toMatchObject({ rateType: 'fixed_amount', fixedAmount: 5050, percentage: null });
    expect((await call(sandbox, `/v1/tax_rates/${made.id}`)).body.fixedAmount).toBe(50.5);
  });
});
