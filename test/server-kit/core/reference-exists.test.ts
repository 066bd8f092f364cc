import { describe, expect, it } from 'vitest';
import { cancelInvoice } from '../../../server-kit/service/index.ts';
import { createTestClient, failureOf, initiationRequest } from '../kit/client-kit.ts';
import {
  dropConnection,
  respondError,
  respondJson,
  serverNow,
  startFaultServer,
} from '../kit/fault-server.ts';
import { storedPayments } from '../kit/payment-facts.ts';
import { codeOf } from '../kit/wire-faults.ts';
import { createWiredShop } from '../kit/wired-shop.ts';

const { paymentMethod: _, ...linkRequest } = initiationRequest;
const envelope = (type: string, params: string[]) => ({
  error: { type, code: 'its_own_word', message: 'no', params },
});
const exists = respondError(409, 'idempotency_error', 'duplicate');

/** The failures of both calls that have a reference. */
async function codesFor(...responses: Parameters<typeof startFaultServer>[0]) {
  const server = await startFaultServer(responses);
  const { client } = createTestClient(server.url);
  const errors = [
    await failureOf(client.payments.initiate(initiationRequest)),
    await failureOf(client.checkout.create(linkRequest)),
  ];
  return errors.map(({ code }) => code);
}

describe('reference_exists', () => {
  it.each([
    ['a 409 of type idempotency_error', 409, envelope('idempotency_error', [])],
    ['a 400 of type idempotency_error', 400, envelope('idempotency_error', [])],
    ['a 422 of type idempotency_error', 422, envelope('idempotency_error', [])],
    ['a 409 over the reference', 409, envelope('invalid_request_error', ['reference'])],
  ])('is %s', async (_name, status, body) => {
    expect(await codesFor(respondJson(status, body))).toEqual(['reference_exists', 'reference_exists']);
  });

  it.each([
    ['a 409 over something else', 409, envelope('invalid_request_error', ['customer']), 'conflict'],
    ['a 409 of a gateway', 409, '<html>nginx</html>', 'conflict'],
    ['a 400 over the reference', 400, envelope('invalid_request_error', ['reference']), 'invalid_request'],
    ['a 401 of that type', 401, envelope('idempotency_error', []), 'authentication_failed'],
  ])('is not %s', async (_name, status, body, code) => {
    expect(await codesFor(respondJson(status, body))).toEqual([code, code]);
  });

  it('is not reported for a request without a reference', async () => {
    const server = await startFaultServer([exists]);
    const { client } = createTestClient(server.url);
    expect(await failureOf(cancelInvoice(client, 'inv_1'))).toMatchObject({ code: 'conflict' });
  });
});

describe('a refusal of a later attempt', () => {
  it.each([
    ['a lost connection', dropConnection],
    ['a 503', respondJson(503, '<html>')],
  ])('is likely the call’s own, after %s', async (_name, fault) => {
    const server = await startFaultServer([fault, exists]);
    const error = await failureOf(createTestClient(server.url).client.payments.initiate(initiationRequest));
    expect(error).toMatchObject({ code: 'reference_exists', attempts: 2, isLikelyOwn: true });
  });

  const skewed = { date: new Date(serverNow + 3_600_000).toUTCString() };
  it.each([
    ['a 429', respondError(429, 'api_error', 'slow_down')],
    ['a 401 for the clock', respondError(401, 'authentication_error', 'timestamp', skewed)],
  ])('is not the call’s own, after %s, which did no work', async (_name, refusal) => {
    const server = await startFaultServer([refusal, exists]);
    const error = await failureOf(createTestClient(server.url).client.payments.initiate(initiationRequest));
    expect(error).toMatchObject({ code: 'reference_exists', attempts: 2, isLikelyOwn: false });
  });

  it('is not the call’s own on the first attempt; no other error is', async () => {
    const server = await startFaultServer([exists, dropConnection]);
    const { client } = createTestClient(server.url);
    expect(await failureOf(client.payments.initiate(initiationRequest))).toMatchObject({
      isLikelyOwn: false,
    });
    expect(await failureOf(client.payments.verify('ord_1'))).toMatchObject({ isLikelyOwn: false });
  });

  it('is likely its own whatever the refusal says, for the service does not state how it refuses a used reference', async () => {
    const server = await startFaultServer([dropConnection, respondError(422, 'invalid_request_error', 'no')]);
    const error = await failureOf(createTestClient(server.url).client.payments.initiate(initiationRequest));
    expect(error).toMatchObject({ code: 'invalid_request', isLikelyOwn: true });
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
      if (calls === 1) return Response.json(envelope('api_error', []), { status: 429 });
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
