import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openHostedShop } from '../../../demo/hosted/hosted-shop.ts';
import { clearBrowser } from './storage/storage-kit.ts';

/** A device on which the shop's records are read slowly: the sandbox must not call a checkout that is not there yet. */
vi.mock(import('../../../demo/hosted/storage/records.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    createIndexedDbRecords(db) {
      const records = original.createIndexedDbRecords(db);
      const secret = async (name: string): Promise<string> => {
        for (let read = 0; read < 100; read++) await records.secret(name);
        return records.secret(name);
      };
      return { ...records, secret };
    },
  };
});

/** On the real internet, as the hosted demo is. */
const publicUrl = 'https://demo.kolas-books.ng/some/where';

beforeEach(clearBrowser);
afterEach(() => {
  vi.useRealTimers();
});

/** Opens the shop, as a worker does when it starts. */
async function startWorker() {
  const { respond, settled } = await openHostedShop(publicUrl, () => {});
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method, ...(body && { headers, body: JSON.stringify(body) }) };
    return (await respond(new Request(`${publicUrl}/${path}`, init))).json();
  };
  return { respond, send, settled };
}

it('delivers a callback that is due when the worker starts again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { send } = await startWorker();
  const { account } = await send('POST', 'checkout/sessions', {});
  await send('POST', 'service/_sandbox/callback_delivery', { delaySeconds: 60 });
  await send('POST', 'service/_sandbox/transfers', { accountNumber: account.number, amount: 1_250_000 });
  vi.setSystemTime(Date.now() + 61_000);
  const next = await startWorker();
  await next.settled();
  const { data } = await next.send('GET', 'service/_sandbox/callbacks');
  const charged = data.find(({ event }: { event: string }) => event === 'payment.charged');
  expect(charged.attempts.map(({ status }: { status: number }) => status)).toEqual([204]);
});

it('says on its pages that a payment was reversed', async () => {
  const { respond, send, settled } = await startWorker();
  const { reference, account } = await send('POST', 'checkout/sessions', {});
  await send('POST', 'service/_sandbox/transfers', { accountNumber: account.number, amount: 1_250_000 });
  const textAfter = async (status: string): Promise<string> => {
    await send('POST', `service/_sandbox/payments/${reference}`, { status });
    await settled();
    return (await respond(new Request(`${publicUrl}/script-tag`))).text();
  };
  expect(await textAfter('succeeded')).toContain('This order is paid.');
  const page = await textAfter('reversed');
  expect(page).toContain('Your payment was reversed.');
  expect(page).not.toContain('This order is paid.');
});
