import { describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../server-kit/core/client.ts';
import { listTaxRates } from '../../../server-kit/service/index.ts';
import { initiation, initiationRequest, payment } from '../kit/client-kit.ts';

/** A client that was declared to be of one mode, and a service that returns this. */
const clientOf = (liveMode: boolean | undefined, body: object, baseUrl = 'https://service.example') =>
  createPaymentsClient({
    baseUrl,
    apiSecret: 'sk_test_1',
    liveMode,
    fetch: async () => Response.json(body),
  });
const refusal = { code: 'invalid_options', message: expect.stringMatching(/apiKey and apiSecret/) };

describe.each([true, false])('a client that was declared with liveMode: %s', (declared) => {
  it('refuses each record of the other mode, and names the keys', async () => {
    const other = { liveMode: !declared };
    const { payments } = clientOf(declared, { ...initiation, ...other });
    await expect(payments.initiate(initiationRequest)).rejects.toMatchObject(refusal);
    const verified = clientOf(declared, { ...payment, ...other }).payments.verify('ord_1');
    await expect(verified).rejects.toMatchObject(refusal);
  });

  it('refuses a list with one record of the other mode', async () => {
    const data = [true, false].map((liveMode) => ({ id: 'txr_1', liveMode }));
    const list = listTaxRates(clientOf(declared, { hasMore: false, data }));
    await expect(list).rejects.toMatchObject(refusal);
  });

  it('takes records of its own mode, as does a client of no declared mode', async () => {
    for (const mode of [declared, undefined]) {
      const { payments } = clientOf(mode, { ...initiation, liveMode: declared });
      expect(await payments.initiate(initiationRequest)).toMatchObject({ liveMode: declared });
    }
  });
});

it('a client of no declared mode takes no live record over http', async () => {
  const { payments } = clientOf(undefined, { ...initiation, liveMode: true }, 'http://service.example');
  const overHttp = { code: 'invalid_options', message: expect.stringContaining('https baseUrl') };
  await expect(payments.initiate(initiationRequest)).rejects.toMatchObject(overHttp);
});
