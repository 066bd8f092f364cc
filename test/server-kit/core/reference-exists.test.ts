import { describe, expect, it } from 'vitest';
import { cancelInvoice } from '../../../server-kit/service/index.ts';
import { envelope, failureOf, initiationRequest, linkRequest, startClient } from '../kit/client-kit.ts';
import { dropConnection, respondError, respondJson, serverNow } from '../kit/fault-server.ts';
import { storedPayments } from '../kit/payment-facts.ts';
import { codeOf } from '../kit/wire-faults.ts';
import { createWiredShop } from '../kit/wired-shop.ts';

const exists = respondError(409, 'idempotency_error', 'duplicate');

/** The failures of both calls that have a reference. */
async function codesFor(status: number, body: unknown) {
  const { client } = await startClient([respondJson(status, body)]);
  const errors = [
    await failureOf(client.payments.initiate(initiationRequest)),
    await failureOf(client.checkout.create(linkRequest)),
  ];
  return errors.map(({ code }) => code);
}

describe('reference_exists', () => {
  it.each([
    ['a 409 of type idempotency_error', 409, envelope('idempotency_error'), 'reference_exists'],
    ['a 400 of type idempotency_error', 400, envelope('idempotency_error'), 'reference_exists'],
    ['a 422 of type idempotency_error', 422, envelope('idempotency_error'), 'reference_exists'],
    ['a 409 over the reference', 409, envelope('invalid_request_error', ['reference']), 'reference_exists'],
    ['not a 409 over something else', 409, envelope('invalid_request_error', ['customer']), 'conflict'],
    ['not a 409 of a gateway', 409, '<html>nginx</html>', 'conflict'],
    [
      'not a 400 over the reference',
      400,
      envelope('invalid_request_error', ['reference']),
      'invalid_request',
    ],
    ['not a 401 of that type', 401, envelope('idempotency_error'), 'authentication_failed'],
  ])('is %s', async (_name, status, body, code) => {
    expect(await codesFor(status, body)).toEqual([code, code]);
  });

  it('is not reported for a request without a reference', async () => {
    const { client } = await startClient([exists]);
    expect(await failureOf(cancelInvoice(client, 'inv_1'))).toMatchObject({ code: 'conflict' });
  });
});

describe('a refusal of a later attempt', () => {
  const skewed = { date: new Date(serverNow + 3_600_000).toUTCString() };
  const refusal = respondError(422, 'invalid_request_error', 'no');

  it.each([
    ['is likely the call’s own, after a lost connection', [dropConnection, exists], true],
    ['is likely the call’s own, after a 503', [respondJson(503, '<html>'), exists], true],
    // The service does not state how it refuses a used reference.
    ['is likely its own whatever the refusal says', [dropConnection, refusal], true],
    [
      'is not the call’s own, after a 429, which did no work',
      [respondError(429, 'api_error', 'slow_down'), exists],
      false,
    ],
    [
      'is not the call’s own, after a 401 for the clock, which did no work',
      [respondError(401, 'authentication_error', 'timestamp', skewed), exists],
      false,
    ],
    ['is not the call’s own on the first attempt', [exists], false],
  ])('%s', async (_name, responders, isLikelyOwn) => {
    const { client } = await startClient(responders);
    const error = await failureOf(client.payments.initiate(initiationRequest));
    const code = responders.includes(exists) ? 'reference_exists' : 'invalid_request';
    expect(error).toMatchObject({ code, attempts: responders.length, isLikelyOwn });
  });

  it('is not the call’s own if the call has no reference', async () => {
    const { client } = await startClient([dropConnection]);
    expect(await failureOf(client.payments.verify('ord_1'))).toMatchObject({ isLikelyOwn: false });
  });
});

describe('a checkout whose payment is refused with 409', () => {
  it('ends at once, and reports to the merchant the reason', async () => {
    const { post, wire, errors } = createWiredShop();
    const refusal = envelope('invalid_request_error', ['customer']);
    wire.intercept = async () => Response.json(refusal, { status: 409 });
    const response = await post();
    expect([response.status, await codeOf(response)]).toEqual([502, 'service_rejected']);
    expect(wire.calls).toHaveLength(1);
    expect(errors).toMatchObject([{ cause: { code: 'conflict', serviceCode: 'its_own_word' } }]);
  });

  it('uses another reference, because its own belongs to another request', async () => {
    const { post, wire, store } = createWiredShop();
    let calls = 0;
    wire.intercept = async (_path, send) => {
      calls++;
      if (calls === 1) return Response.json(envelope('api_error'), { status: 429 });
      if (calls === 2) return Response.json(envelope('idempotency_error', ['reference']), { status: 409 });
      return send();
    };
    expect((await post()).status).toBe(201);
    expect(await storedPayments(store, 'order-1')).toMatchObject([
      { outcome: 'replaced', opened: null },
      { outcome: 'pending' },
    ]);
  });
});
