import { redirect } from 'react-router';
import { createOrder } from '../shop.server';

export const action = () =>
  redirect('/pay', { headers: { 'set-cookie': `order=${createOrder()}; Path=/; HttpOnly; SameSite=Lax` } });
