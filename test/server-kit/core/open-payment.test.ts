import { describe, expect, it } from 'vitest';
import { createPlatform, loseResponse, request } from './sandbox-platform.ts';

describe('openPayment', () => {
  it('returns what a platform stores: account, amount, expiry, mode, and nothing of the customer', async () => {
    const { open, control, clock } = createPlatform();
    const opened = await open({ customer: { name: 'Ada Obi', email: 'ada@example.com' } });
    const [payment] = control.listPayments();
    expect(opened).toEqual({
      reference: 'order_1',
      paymentId: payment?.id,
      amount: { value: 1_250_000, currency: 'NGN' },
      account: { number: payment?.accountNumber, name: payment?.accountName, bankName: payment?.bankName },
      openedAt: new Date(clock.now()).toISOString(),
      expiresAt: new Date(clock.now() + 1_800_000).toISOString(),
      liveMode: false,
    });
    expect(JSON.parse(JSON.stringify(opened))).toEqual(opened);
  });

  it('opens another payment when the response is lost, because nothing returns the account', async () => {
    const { open, control, wire } = createPlatform();
    let lost = 1;
    wire.intercept = (_path, send) => (lost-- > 0 ? loseResponse(send) : send());
    const opened = await open();
    expect(opened.reference).toBe('order_1-2');
    const [first, second] = control.listPayments();
    expect([first?.reference, second?.reference].sort()).toEqual(['order_1', 'order_1-2']);
    expect([first, second].map((one) => one?.accountNumber)).toContain(opened.account.number);
  });

  it.each([
    [400, 'invalid_request_error', ['reference']],
    [403, 'authentication_error', []],
    [409, 'invalid_request_error', []],
    [422, 'new_error', []],
  ])(
    'opens another payment also if the service refuses the repeat with %i, %s, %j',
    async (status, type, params) => {
      const { open, wire } = createPlatform();
      let lost = 1;
      wire.intercept = async (_path, send) => {
        if (lost-- > 0) return loseResponse(send);
        const response = await send();
        if (response.ok) return response;
        return Response.json({ error: { type, code: 'x', message: 'x', params } }, { status });
      };
      expect((await open()).reference).toBe('order_1-2');
    },
  );

  it('opens another one after a process that ended before it had the response', async () => {
    const { open, client } = createPlatform();
    await client.payments.initiate({ ...request, paymentMethod: 'pay_with_transfer' });
    expect((await open()).reference).toBe('order_1-2');
  });

  it('gives up after three lost responses', async () => {
    const { open, control, wire } = createPlatform();
    wire.intercept = async (_path, send) => {
      const before = control.listPayments().length;
      const response = await send();
      if (control.listPayments().length > before) throw new TypeError('fetch failed');
      return response;
    };
    await expect(open()).rejects.toMatchObject({ code: 'reference_exists', isLikelyOwn: true });
    expect(control.listPayments()).toHaveLength(3);
  });

  it('does not try again what the service has refused', async () => {
    const { open, calls, wire } = createPlatform();
    wire.intercept = async () =>
      Response.json(
        { error: { type: 'invalid_request_error', code: 'x', message: 'x', params: [] } },
        { status: 422 },
      );
    await expect(open()).rejects.toMatchObject({ code: 'invalid_request' });
    expect(calls).toHaveLength(1);
  });

  it('refuses an account of another amount', async () => {
    const { open, wire } = createPlatform();
    wire.intercept = async (_path, send) => {
      const body = (await (await send()).json()) as object;
      return Response.json({ ...body, amount: { value: 12_500, currency: 'NGN' } });
    };
    await expect(open()).rejects.toMatchObject({ code: 'invalid_response', params: ['amount', 'reference'] });
  });
});
