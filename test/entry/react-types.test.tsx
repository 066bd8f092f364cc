import { createRef } from 'react';
import { expectTypeOf, it } from 'vitest';
import type { TransferCheckoutElement } from '../../src/element.ts';
import type { PaymentView } from '../../src/index.ts';
import type {} from '../../src/react.tsx';

/** @jsxImportSource react */

it('the types of <transfer-checkout> are known to React’s JSX', () => {
  const ref = createRef<TransferCheckoutElement>();
  const right = (
    <transfer-checkout
      ref={ref}
      modal
      className="pay"
      baseUrl="/pay"
      body={{ orderId: '7' }}
      theme="dark"
      onsucceeded={({ detail }) => expectTypeOf(detail.payment).toEqualTypeOf<PaymentView>()}
    />
  );
  // @ts-expect-error an unknown theme
  const wrong = <transfer-checkout modal theme="sepia" />;
  expectTypeOf([right, wrong]).not.toBeAny();
  expectTypeOf(ref.current).toEqualTypeOf<TransferCheckoutElement | null>();
});
