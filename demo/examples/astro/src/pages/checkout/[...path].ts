import type { APIRoute } from 'astro';
import { getCheckout } from '../../shop.ts';

export const ALL: APIRoute = ({ request }) => getCheckout().handler(request);
