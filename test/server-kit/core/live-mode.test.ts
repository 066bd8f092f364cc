import { describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../server-kit/core/client.ts';
import { listTaxRates } from '../../../server-kit/service/index.ts';
import { createSandbox } from '../../../server-kit/tools/sandbox/index.ts';

const sandboxRecord =
  (liveMode: boolean, fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const body = (await response.json()) as { data?: object[] };
    const inMode = (record: object) => ('liveMode' in record ? { ...record, liveMode } : record);
    const changed = body.data === undefined ? inMode(body) : { ...body, data: body.data.map(inMode) };
    return Response.json(changed, { status: response.status });
  };

/** A client that was declared to be of one mode, and a service whose records are of another. */
function clientOf(declared: boolean | undefined, served: boolean, baseUrl = 'https://service.example') {
  const sandbox = createSandbox();
  return createPaymentsClient({
    baseUrl,
    apiSecret: 'sk_test_sandbox',
    liveMode: declared,
    fetch: sandboxRecord(served, sandbox.fetch),
  });
}

const request = {
  reference: 'ord_1',
  paymentMethod: 'pay_with_transfer',
  amount: { value: 1000, currency: 'NGN' },
} as const;
const refusal = { code: 'invalid_options', message: expect.stringMatching(/apiKey and apiSecret/) };

describe.each([true, false])('a client that was declared with liveMode: %s', (declared) => {
  it('refuses each record of the other mode, and names the keys', async () => {
    const client = clientOf(declared, !declared);
    await expect(client.payments.initiate(request)).rejects.toMatchObject(refusal);
    await expect(client.payments.verify(request.reference)).rejects.toMatchObject(refusal);
  });

  it('takes records of its own mode', async () => {
    const client = clientOf(declared, declared);
    expect(await client.payments.initiate(request)).toMatchObject({ liveMode: declared });
  });
});

it('a list with one record of the other mode is refused', async () => {
  const records = [{ liveMode: true }, { liveMode: false }];
  const taxRate = {
    id: 'txr_1',
    name: 'VAT',
    active: true,
    inclusive: false,
    percentage: 7.5,
    taxType: 'vat',
    rateType: 'percentage',
    createdAt: '2026-03-01T12:00:00Z',
    updatedAt: '2026-03-01T12:00:00Z',
  };
  const client = createPaymentsClient({
    baseUrl: 'https://service.example',
    apiSecret: 'sk_test_sandbox',
    liveMode: true,
    fetch: async () =>
      Response.json({ hasMore: false, data: records.map((mode) => ({ ...taxRate, ...mode })) }),
  });
  await expect(listTaxRates(client)).rejects.toMatchObject(refusal);
});

it.each([true, false])('a client of no declared mode takes records of mode %s', async (served) => {
  expect(await clientOf(undefined, served).payments.initiate(request)).toMatchObject({ liveMode: served });
});

it('a client of no declared mode takes no live record over http', async () => {
  const client = clientOf(undefined, true, 'http://service.example');
  const overHttp = { code: 'invalid_options', message: expect.stringContaining('https baseUrl') };
  await expect(client.payments.initiate(request)).rejects.toMatchObject(overHttp);
});
