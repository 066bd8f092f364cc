import type { APIRoute } from 'astro';
import { createOrder } from '../shop.ts';

export const POST: APIRoute = ({ cookies, redirect }) => {
  cookies.set('order', createOrder(), { path: '/', httpOnly: true, sameSite: 'lax' });
  return redirect('/pay', 303);
};
