import { bench, describe } from 'vitest';
import { hmacSha512, hmacWithWebCrypto } from '../../server-kit/client/signing/hmac.ts';
import { signRequest } from '../../server-kit/client/signing/signature.ts';

const secret = 'sk_test_bench';
const body = {
  reference: 'ord_1001',
  paymentMethod: 'pay_with_transfer',
  amount: { value: 1_250_000, currency: 'NGN' },
};

describe('one HMAC-SHA512, over what this runtime has and over WebCrypto', () => {
  bench('the one that is taken', async () => {
    await hmacSha512(secret, 'a message');
  });
  bench('WebCrypto', async () => {
    await hmacWithWebCrypto(secret, 'a message');
  });
});

describe('signing a request, against the two HMACs that it cannot do without', () => {
  bench('signRequest', async () => {
    await signRequest({ secret, path: '/v1/payments', body, timestamp: '1763600000' });
  });
  bench('two HMACs', async () => {
    await hmacSha512(secret, JSON.stringify(body));
    await hmacSha512(secret, 'a message');
  });
});
