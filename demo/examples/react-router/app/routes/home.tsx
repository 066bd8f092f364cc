import { Form, Link } from 'react-router';

export default function Home() {
  return (
    <>
      <h1>Kola's Bookshop</h1>
      <Form action="/orders" method="post">
        Things Fall Apart, ₦6,500.00 <button>Buy</button>
      </Form>
      <Link to="/pay">Your order</Link>
    </>
  );
}
