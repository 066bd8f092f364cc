import { useState } from 'preact/hooks';
import 'transfer-checkout/element';

/** An island with Astro's Preact 10; the package contains its own. */
export function Payment() {
  const [isPaid, setIsPaid] = useState(false);
  return (
    <>
      <h1>{isPaid ? 'Thank you' : 'Your order'}</h1>
      <transfer-checkout
        base-url="/checkout"
        merchant-name="Kola's Bookshop"
        onsucceeded={() => setIsPaid(true)}
      />
    </>
  );
}
