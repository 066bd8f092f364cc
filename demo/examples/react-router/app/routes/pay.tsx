import { useState } from 'react';
import { Link } from 'react-router';
import { TransferCheckout } from 'transfer-checkout/react';

export default function Pay() {
  const [isPaid, setIsPaid] = useState(false);
  return (
    <>
      <h1>{isPaid ? 'Thank you' : 'Your order'}</h1>
      <TransferCheckout
        baseUrl="/checkout"
        merchantName="Kola's Bookshop"
        onSucceeded={() => setIsPaid(true)}
      />
      <Link to="/">Back to the shop</Link>
    </>
  );
}
