import { describe, expectTypeOf, it } from 'vitest';
import type { TransferCheckoutElement } from '../../src/element.ts';
import '../../src/element.ts';
import { place } from './shop.ts';

describe('the types of <transfer-checkout>', () => {
  it('are known to the DOM', () => {
    expectTypeOf(document.querySelector('transfer-checkout')).toEqualTypeOf<TransferCheckoutElement | null>();
    expectTypeOf(document.createElement('transfer-checkout').open).returns.toEqualTypeOf<Promise<void>>();
    const element = place('transfer-checkout');
    element.setAttribute('modal', '');
    element.merchantName = 'Kola';
    element.body = { orderId: '7' };
    // @ts-expect-error an unknown property
    element.merchant = 'Kola';
  });

  it('are known to Preact’s JSX', () => {
    const ref = { current: null as TransferCheckoutElement | null };
    void (
      <transfer-checkout ref={ref} modal class="pay" baseUrl="/pay" body={{ orderId: '7' }} theme="dark" />
    );
    // @ts-expect-error an unknown theme
    void (<transfer-checkout modal theme="sepia" />);
    expectTypeOf(ref.current).toEqualTypeOf<TransferCheckoutElement | null>();
  });
});
