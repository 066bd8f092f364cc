import { describe, expect, it } from 'vitest';
import { call, goodBody, initiate, newSandbox, startMs, verify } from '../sandbox-kit.ts';

const initiateWith = (changes: object) =>
  call(newSandbox(), '/v1/payments', { body: { ...goodBody, ...changes } });

describe('a request that the interface allows', () => {
  it.each([
    [{ name: 'Ada Obi' }, { name: 'Ada Obi', email: '' }, 'Sandbox Merchant / Ada Obi'],
    [{ email: 'ada@example.com' }, { name: '', email: 'ada@example.com' }, 'Sandbox Merchant'],
    [{}, { name: '', email: '' }, 'Sandbox Merchant'],
  ])('may name the customer as %j', async (customer, shown, accountName) => {
    const { status, body } = await initiateWith({ customer });
    expect([status, body]).toMatchObject([200, { customer: shown, accountName }]);
  });

  it.each([
    [0.5, 500],
    [90.0004, 90_000],
  ])('may expire in %d seconds', async (expiresIn, ms) => {
    const { status, body } = await initiateWith({ expiresIn });
    expect([status, Date.parse(body.expiresAt)]).toEqual([200, startMs + ms]);
  });
});

describe('a control call', () => {
  it.each([
    { paymentMethod: 'card' },
    { paymentMethod: 'bank_transfer', paymentChannel: 'terminal' },
    { paymentMethod: 'invoice_payment_account' },
  ] as const)('makes a payment %j', async (origin) => {
    const sandbox = newSandbox();
    const { reference } = await initiate(sandbox);
    sandbox.control.updatePayment(reference, origin);
    expect(await verify(sandbox, reference)).toMatchObject({ status: 'awaiting_charge', ...origin });
  });

  it('brings the money when it makes a payment charged', async () => {
    const sandbox = newSandbox({ confirmationSeconds: 60 });
    const { reference, accountNumber } = await initiate(sandbox);
    sandbox.control.updatePayment(reference, {
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    });
    sandbox.control.transfer({ accountNumber, amount: 100 });
    sandbox.control.updatePayment(reference, { status: 'charged' });
    expect(await verify(sandbox, reference)).toMatchObject({ status: 'charged', chargedAmount: 1_250_000 });
  });
});

it('a link that nobody has opened is a payment that waits, in the dialect that calls it initiated', async () => {
  const sandbox = newSandbox({ dialect: { unopenedLink: 'initiated' } });
  const { reference, amount } = goodBody;
  const link = await call(sandbox, '/v1/payments/checkout', { body: { reference, amount } });
  const { id } = link.body;
  const unopened = await verify(sandbox, reference);
  expect(unopened).toMatchObject({ status: 'initiated', paymentChannel: 'checkout', chargedAmount: 0 });
  expect(sandbox.control.listCheckoutLinks()).toMatchObject([{ id, isOpened: false }]);
  const accountNumber = sandbox.control.listPayments()[0]?.accountNumber ?? '';
  expect(sandbox.control.transfer({ accountNumber, amount: 1_250_000 }).transfer.status).toBe('returned');
  sandbox.control.openCheckoutLink(id);
  expect(await verify(sandbox, reference)).toMatchObject({ id: unopened.id, status: 'awaiting_charge' });
  expect(sandbox.control.listCheckoutLinks()).toMatchObject([{ isOpened: true }]);
  expect(sandbox.control.openCheckoutLink(id).id).toBe(unopened.id);
  sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
  expect((await verify(sandbox, reference)).status).toBe('succeeded');
});
