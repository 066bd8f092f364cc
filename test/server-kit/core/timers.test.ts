import { expect, it, vi } from 'vitest';
import { createPaymentRoutes, createPaymentsClient, openPayment } from '../../../server-kit/core/index.ts';
import { initiation, payment } from '../kit/client-kit.ts';
import { keys } from '../kit/wired-shop.ts';

it('leaves no timer behind a call', async () => {
  vi.useFakeTimers({ now: Date.parse(initiation.expiresAt) - 1_800_000 });
  try {
    const bodies: Record<string, object> = {
      '/v1/payments': initiation,
      '/v1/payments/ord_1/verify': payment,
    };
    const client = createPaymentsClient({
      baseUrl: 'https://service.example',
      apiSecret: 'sk_test_1',
      fetch: async (input) => Response.json(bodies[new URL(String(input)).pathname]),
    });
    const opened = await openPayment(client, { reference: 'ord_1', amount: initiation.amount });
    const { handler } = createPaymentRoutes({
      client,
      clientSecretKeys: keys,
      findPayment: async () => opened,
      retrievePayment: async () => opened,
    });
    const headers = { 'content-type': 'application/json' };
    const posted = new Request('https://shop.example/sessions', { method: 'POST', headers, body: '{}' });
    const response = await handler(posted);
    const { clientSecret } = await response.json();
    const poll = new Request('https://shop.example/sessions/ord_1', {
      headers: {
        'checkout-secret': clientSecret,
        'if-none-match': response.headers.get('etag') ?? '',
        prefer: 'wait=25',
      },
    });
    expect((await handler(poll)).status).toBe(304);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
