import { describe, expect, it } from 'vitest';
import { controlRoutes } from '../../../../../server-kit/tools/sandbox/calls/control-routes.ts';
import { individual } from '../../../kit/account-requests.ts';
import { createTestClock } from '../../../kit/test-clock.ts';
import {
  call,
  controlCall,
  expectRefusal,
  goodBody,
  initiate,
  newSandbox,
  origin,
  read,
  startMs,
} from '../sandbox-kit.ts';

it('POST /_sandbox/transfers returns the transfer and the payment as the panel shows it', async () => {
  const sandbox = newSandbox();
  const { accountNumber } = await initiate(sandbox);
  const { body } = await controlCall(sandbox, '/_sandbox/transfers', { accountNumber, amount: 1_250_000 });
  const createdAt = '2026-01-02T09:30:00.000Z';
  const money = { accountNumber, amount: 1_250_000, currency: 'NGN', status: 'accepted', createdAt };
  expect(body.transfer).toEqual({ id: expect.any(String), ...money });
  const { paymentMethod: _none, expiresIn: _neither, ...shown } = goodBody;
  expect(body.payment).toEqual({
    ...shown,
    id: expect.stringMatching(/^pay_/),
    status: 'succeeded',
    nextStatuses: ['reversed'],
    acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_FIXED',
    chargedAmount: 1_250_000,
    accountNumber,
    accountName: 'Sandbox Merchant / Ada Obi',
    bankName: 'Sandbox Bank',
    customer: { id: expect.stringMatching(/^cus_/), ...shown.customer },
    liveMode: false,
    expiresAt: '2026-01-02T09:45:00.000Z',
    createdAt,
    updatedAt: createdAt,
    transfers: [body.transfer],
  });
});

it('a payment of which one change is not allowed keeps all of its fields', async () => {
  const { control } = newSandbox({ fixtures: { payments: [goodBody] } });
  const before = control.listPayments();
  const acceptedAmountPolicy = 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY';
  const act = () => control.updatePayment(goodBody.reference, { acceptedAmountPolicy, status: 'succeeded' });
  expect(act).toThrow(/can become charged or expired or failed/);
  expect(control.listPayments()).toEqual(before);
});

it('an update without a value is refused, so that it neither changes a record nor calls back', () => {
  const payouts = [{ id: 'po_1', amount: 1, callbackUrl: 'https://shop.example' }];
  const { control } = newSandbox({ fixtures: { dedicated_accounts: [individual], payouts } });
  const [account] = control.listDedicatedAccounts();
  const refusal = expect.objectContaining({ code: 'validation_failed' });
  const status = undefined;
  expect(() => control.updatePayout('po_1', { status })).toThrow(refusal);
  const code = account?.accountRequestCode ?? '';
  expect(() => control.updateDedicatedAccount(code, { status })).toThrow(refusal);
  expect(() => control.setClock({ set: undefined, frozen: undefined })).toThrow(refusal);
  expect(control.listCallbacks()).toEqual([]);
});

it('an app keeps the fields that an update leaves out', async () => {
  const sandbox = newSandbox();
  const headers = { authorization: 'Bearer auth_test_sandbox' };
  const registration = { name: 'Till', icon: 'icon.png', base64Icon: 'aWNvbg==', scheme: 'till' };
  const registered = await call(sandbox, '/v1/apps', { body: registration, headers });
  expect(registered.body).toMatchObject({ id: expect.stringMatching(/^app_/), ...registration });
  sandbox.control.setClock({ advanceSeconds: 60 });
  const body = { scheme: 'till-2', bankingType: 'business' };
  await call(sandbox, `/v1/apps/${registered.body.id}`, { method: 'PUT', body, headers });
  const updated = { ...registered.body, ...body, updatedAt: '2026-01-02T09:31:00.000Z' };
  expect(sandbox.control.listApps()).toEqual([updated]);
});

it('a tax rate is a percentage, or a fixed amount in the unit of the dialect when the seed has one', async () => {
  const sandbox = newSandbox({ dialect: { amountUnit: 'major' } });
  const rate = sandbox.control.createTaxRate({ name: 'VAT' });
  expect(rate).toMatchObject({ rateType: 'percentage', percentage: 7.5, fixedAmount: null, taxType: 'vat' });
  const levy = sandbox.control.createTaxRate({ name: 'Levy', fixedAmount: 5050, taxType: 'sales_tax' });
  expect(levy).toMatchObject({ rateType: 'fixed_amount', fixedAmount: 5050, percentage: null });
  expect((await call(sandbox, `/v1/tax_rates/${levy.id}`)).body.fixedAmount).toBe(50.5);
});

describe('control calls', () => {
  const rows = Object.values(controlRoutes).map(({ method, path }) => ({
    method,
    path: path.replace('{reference}', 'a'),
  }));

  it.each(rows)('refuse pages of other sites: $method $path', async ({ method, path }) => {
    const sandbox = newSandbox();
    const init = { method, headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' } };
    const body = method === 'POST' ? { body: '{"advanceSeconds":5}' } : {};
    const response = await read(await sandbox.fetch(origin + path, { ...init, ...body }));
    expectRefusal(response, 403, 'cross_site_refused');
    expect(sandbox.control.readClock().offsetSeconds).toBe(0);
  });

  it.each(rows.filter(({ method }) => method === 'POST'))(
    'need a content type that no form can send: $method $path',
    async ({ method, path }) => {
      const init = { method, headers: { 'content-type': 'text/plain' }, body: '{"advanceSeconds":5}' };
      const response = await read(await newSandbox().fetch(origin + path, init));
      expectRefusal(response, 400, 'content_type_unsupported');
    },
  );

  it.each(['https://evil.example', 'http://service.example:81', 'null', 'x'])(
    'refuse the origin of another site: %s',
    async (from) => {
      const response = await controlCall(newSandbox(), '/_sandbox/clock', { frozen: true }, { origin: from });
      expectRefusal(response, 403, 'cross_site_refused');
    },
  );

  it.each([origin, 'https://sandbox.example'])('accept their own origin: %s', async (from) => {
    const sandbox = newSandbox({ publicUrl: 'https://sandbox.example/service' });
    const response = await controlCall(sandbox, '/_sandbox/clock', { frozen: true }, { origin: from });
    expect(response.status).toBe(200);
  });
});

describe('/_sandbox/clock', () => {
  it('stays frozen when it is moved, and runs on when it is released', () => {
    const machine = createTestClock(startMs);
    const { control } = newSandbox({ now: machine.now });
    control.setClock({ frozen: true });
    machine.advance(60_000);
    const stopped = { now: '2026-01-02T09:30:00.000Z', offsetSeconds: -60, frozen: true };
    expect(control.readClock()).toEqual(stopped);
    control.setClock({ advanceSeconds: 5 });
    machine.advance(60_000);
    expect(control.readClock()).toMatchObject({ now: '2026-01-02T09:30:05.000Z', frozen: true });
    control.setClock({ frozen: false });
    machine.advance(1000);
    const released = { now: '2026-01-02T09:30:06.000Z', offsetSeconds: -115, frozen: false };
    expect(control.readClock()).toEqual(released);
  });

  it.each(['2001-09-09T01:46:40.000Z', '2286-11-20T17:46:39.999Z'])(
    'can be set to %s, where requests can still be signed',
    async (set) => {
      const sandbox = newSandbox();
      sandbox.control.setClock({ set, frozen: true });
      expect((await call(sandbox, '/v1/payments', { body: goodBody })).status).toBe(200);
    },
  );
});
