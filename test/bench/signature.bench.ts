import { bench, describe } from 'vitest';
import { hmacHex } from '../../server-kit/core/secrets.ts';
import { signRequest } from '../../server-kit/core/signature.ts';

const secret = 'sk_test_bench';
const body = {
  reference: 'ord_1001',
  paymentMethod: 'pay_with_transfer',
  amount: { value: 1_250_000, currency: 'NGN' },
};

describe('signing a request, against the two HMACs that it cannot do without', () => {
  bench('signRequest', async () => {
    await signRequest({ secret, path: '/v1/payments', body, timestamp: '1763600000' });
  });
  bench('two HMACs', async () => {
    await hmacHex(secret, JSON.stringify(body));
    await hmacHex(secret, 'a message');
  });
});
