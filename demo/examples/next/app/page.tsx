import Link from 'next/link';

export default function HomePage() {
  return (
    <>
      <h1>Kola's Bookshop</h1>
      <form action="/orders" method="post">
        Things Fall Apart, ₦6,500.00 <button>Buy</button>
      </form>
      <Link href="/pay">Your order</Link>
    </>
  );
}
