import { redirect } from '@sveltejs/kit';
import { createOrder } from '$lib/server/shop';
import type { RequestHandler } from './$types';

export const POST: RequestHandler = ({ cookies }) => {
  cookies.set('order', createOrder(), { path: '/' });
  redirect(303, '/pay');
};
