import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { getShop } from '../../shop.ts';

export async function POST(): Promise<never> {
  (await cookies()).set('order', getShop().createOrder(), { httpOnly: true, sameSite: 'lax' });
  redirect('/pay');
}
