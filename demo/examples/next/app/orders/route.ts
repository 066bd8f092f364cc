import { cookies } from 'next/headers';
import { getShop } from '../../shop';

export async function POST(): Promise<Response> {
  (await cookies()).set('order', getShop().createOrder(), { httpOnly: true, sameSite: 'lax' });
  // Not Next's `redirect`, with which the browser would post the form to /pay, too.
  return new Response(null, { status: 303, headers: { location: '/pay' } });
}
