import { describe, expectTypeOf, it } from 'vitest';
import type { TransferCheckoutElement } from '../../src/element.ts';
import type { CheckoutError, CheckoutEvent, PaymentView, StateName } from '../../src/index.ts';
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

  it('know the details of its events', () => {
    const element = document.createElement('transfer-checkout');
    element.addEventListener('succeeded', ({ detail }) =>
      expectTypeOf(detail).toEqualTypeOf<{ readonly payment: PaymentView; readonly isFirst: boolean }>(),
    );
    element.addEventListener('error', ({ detail }) =>
      expectTypeOf(detail.error).toEqualTypeOf<CheckoutError>(),
    );
    element.addEventListener('click', (event) => expectTypeOf(event).toEqualTypeOf<PointerEvent>(), {
      once: true,
    });
    const listener = ({ detail }: CheckoutEvent<'statusChange'>): StateName => detail.state;
    element.addEventListener('statuschange', listener);
    element.removeEventListener('statuschange', listener);
    // @ts-expect-error the listener of another event
    element.addEventListener('succeeded', listener);
  });

  it('are known to Preact’s JSX', () => {
    const ref = { current: null as TransferCheckoutElement | null };
    void (
      <transfer-checkout
        ref={ref}
        modal
        class="pay"
        baseUrl="/pay"
        base-url="/pay"
        body={{ orderId: '7' }}
        theme="dark"
        onsucceeded={({ detail }) => expectTypeOf(detail.payment).toEqualTypeOf<PaymentView>()}
      />
    );
    // @ts-expect-error an unknown theme
    void (<transfer-checkout modal theme="sepia" />);
    expectTypeOf(ref.current).toEqualTypeOf<TransferCheckoutElement | null>();
  });
});
