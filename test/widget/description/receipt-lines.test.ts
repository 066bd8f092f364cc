import { describe, expect, it } from 'vitest';
import { createLocalization } from '../../../src/i18n/translator.ts';
import { receiptLines } from '../../../src/widget/description/plain-text.ts';
import { viewOf } from '../../core/views.ts';

const translator = createLocalization({}).translator.value;
const linesOf = (changes: Parameters<typeof viewOf>[0]) =>
  Object.fromEntries(
    receiptLines(viewOf({ outcome: 'paid', chargedAmount: 1_250_000, ...changes }), translator).map(
      ([key, value]) => [key, value.replace(/\D(?=\d)/, ' ')],
    ),
  );

describe('the lines of a receipt', () => {
  it('name the order and who was paid', () => {
    expect(linesOf({ orderId: '1001' })).toMatchObject({ orderNumber: '1001', paidTo: 'Kola Bookshop' });
  });

  it('have no order number from a page of the service, which knows only the payment', () => {
    expect(linesOf({})).not.toHaveProperty('orderNumber');
    expect(linesOf({ orderId: 'order-1001-1' })).not.toHaveProperty('orderNumber');
  });

  it('state the order’s total and the excess of an overpayment, and neither of an exact one', () => {
    const amounts = (changes: Parameters<typeof viewOf>[0]) => {
      const { orderTotal, excess } = linesOf(changes);
      return [orderTotal, excess].map((amount) => amount?.replace(/[^\d.]/g, ''));
    };
    expect(amounts({})).toEqual([undefined, undefined]);
    expect(amounts({ chargedAmount: 1_300_000 })).toEqual(['12500.00', '500.00']);
    expect(amounts({ orderChargedAmount: 2_500_000 })).toEqual(['12500.00', '12500.00']);
  });
});
