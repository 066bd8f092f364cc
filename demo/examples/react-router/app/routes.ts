import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/home.tsx'),
  route('pay', 'routes/pay.tsx'),
  route('orders', 'routes/orders.ts'),
  route('checkout/*', 'routes/checkout.ts'),
] satisfies RouteConfig;
