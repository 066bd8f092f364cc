import { expect, it } from 'vitest';
import { toFetchHandler } from '../../../../server-kit/core/http.ts';

const handle = toFetchHandler(async ({ readText }) => ({
  status: 200,
  headers: {},
  body: await readText(100, new AbortController().signal),
}));

const requestWith = (body: string | undefined): Request =>
  new Request('https://shop.example/checkout/sessions', { method: 'POST', ...(body && { body }) });

it.each([
  ['a body', '{"orderId":"1"}'],
  ['no body', undefined],
])('reads %s where requests have no stream, as in Firefox', async (_name, body) => {
  const request = requestWith(body);
  Object.defineProperty(request, 'body', { value: undefined });
  expect(await (await handle(request)).text()).toBe(body ?? '');
});

it('reads a body as a stream', async () => {
  expect(await (await handle(requestWith('text'))).text()).toBe('text');
  await expect(handle(requestWith('x'.repeat(101)))).rejects.toMatchObject({ code: 'payload_too_large' });
});
