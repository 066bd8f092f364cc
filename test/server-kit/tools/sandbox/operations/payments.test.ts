import { describe, expect, it } from 'vitest';
import {
  call,
  createLink,
  expectConflict,
  expectRefusal,
  goodBody,
  initiate,
  linkBody,
  newSandbox,
  startMs,
  verify,
} from '../sandbox-kit.ts';

describe('POST /v1/payments', () => {
  it('returns the account to pay into', async () => {
    const { amount, metadata, customer } = goodBody;
    expect(await initiate(newSandbox())).toMatchObject({
      id: expect.stringMatching(/^pay_[a-z0-9]{20}$/),
      accountName: 'Sandbox Merchant / Ada Obi',
      accountNumber: expect.stringMatching(/^\d{10}$/),
      bankName: 'Sandbox Bank',
      expiresAt: '2026-01-02T09:45:00.000Z',
      ...{ amount, metadata, customer },
    });
  });

  it('creates a valid account number: the published example is bank 011, serial 000001457', async () => {
    const random = () => 0.0000014575;
    const sandbox = newSandbox({ random, bank: { name: 'First Bank', code: '011' } });
    expect((await initiate(sandbox)).accountNumber).toBe('0000014579');
    const zero = newSandbox({ random: () => 0, bank: { name: 'Bank', code: '000' } });
    expect((await initiate(zero)).accountNumber).toBe('0000000000');
  });

  it('gives every payment a unique account number and id, even when randomness repeats', async () => {
    const sandbox = newSandbox({ random: () => 0.5 });
    for (const reference of ['ord_1', 'ord_2', 'ord_3']) await initiate(sandbox, { reference });
    const made = sandbox.control.listPayments();
    expect(new Set(made.flatMap(({ id, accountNumber }) => [id, accountNumber])).size).toBe(6);
  });

  it('refuses the reference of another payment or checkout link', async () => {
    const sandbox = newSandbox();
    await initiate(sandbox);
    await createLink(sandbox, { reference: 'ord_2' });
    for (const [path, body] of [
      ['/v1/payments', goodBody],
      ['/v1/payments/checkout', linkBody],
      ['/v1/payments', { ...goodBody, reference: 'ord_2' }],
    ] as const) {
      const response = await call(sandbox, path, { body });
      expectConflict(response, 'reference_exists', ['reference']);
      expect(response.body.error.type).toBe('idempotency_error');
    }
  });
});

it('GET /v1/payments/{id} and /v1/payments/{reference}/verify return the whole payment, by its id or its reference', async () => {
  const sandbox = newSandbox();
  const { id, customer } = await initiate(sandbox);
  const retrieved = await call(sandbox, `/v1/payments/${id}`);
  expect(retrieved.body).toMatchObject({
    id,
    reference: 'ord_1001',
    status: 'awaiting_charge',
    accessToken: expect.stringMatching(/^tok_[a-z0-9]{32}$/),
    acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_FIXED',
    paymentMethod: 'pay_with_transfer',
    paymentChannel: 'api',
    customerId: customer.id,
    expectedAmount: 1_250_000,
    chargedAmount: 0,
    receiptEmail: 'ada@example.com',
    createdAt: '2026-01-02T09:30:00.000Z',
  });
  expect(await verify(sandbox)).toEqual(retrieved.body);
  expect((await call(sandbox, '/v1/payments/ord_1001')).body.error.code).toBe('payment_not_found');
});

it('POST /v1/payments/checkout returns the link and creates no payment until it is opened', async () => {
  const sandbox = newSandbox({ publicUrl: 'https://pay.example/' });
  const { id, ...link } = await createLink(sandbox);
  const { amount, returnUrl, callbackUrl, metadata } = linkBody;
  expect(link).toMatchObject({
    ...{ amount, returnUrl, callbackUrl, metadata },
    authorizationUrl: `https://pay.example/_sandbox/pay/${id}`,
    expiresAt: '2026-01-02T10:00:00.000Z',
  });
  const { error } = await verify(sandbox);
  expect(error).toMatchObject({ code: 'payment_not_found', message: expect.stringMatching(/opened/) });
});

describe('amounts in major units', () => {
  const dialect = { amountUnit: 'major' } as const;

  it.each([
    [0.29, 29],
    [12_500, 1_250_000],
  ])('accepts and returns %d for %i minor units', async (value, minor) => {
    const sandbox = newSandbox({ dialect });
    const made = await initiate(sandbox, { amount: { value, currency: 'NGN' } });
    expect(made.amount).toEqual({ value, currency: 'NGN' });
    const { payment } = sandbox.control.transfer({ accountNumber: made.accountNumber, amount: minor });
    expect(payment).toMatchObject({ amount: { value: minor }, chargedAmount: minor });
    expect(await verify(sandbox)).toMatchObject({
      status: 'succeeded',
      expectedAmount: value,
      chargedAmount: value,
    });
  });

  it.each([0.001, 1e21])('refuses %d, naming amount.value', async (value) => {
    const body = { ...goodBody, amount: { value, currency: 'NGN' } };
    const response = await call(newSandbox({ dialect }), '/v1/payments', { body });
    expectRefusal(response, 422, 'validation_failed', ['amount.value']);
  });
});

describe('a request that the interface allows', () => {
  it.each([
    [{ name: 'Ada Obi' }, { name: 'Ada Obi', email: '' }, 'Sandbox Merchant / Ada Obi'],
    [{ email: 'ada@example.com' }, { name: '', email: 'ada@example.com' }, 'Sandbox Merchant'],
    [{}, { name: '', email: '' }, 'Sandbox Merchant'],
  ])('may name the customer as %j', async (customer, shown, accountName) => {
    expect(await initiate(newSandbox(), { customer })).toMatchObject({ customer: shown, accountName });
  });

  it.each([
    [0.5, 500],
    [90.0004, 90_000],
  ])('may expire in %d seconds', async (expiresIn, ms) => {
    const { expiresAt } = await initiate(newSandbox(), { expiresIn });
    expect(Date.parse(expiresAt)).toBe(startMs + ms);
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
  const { id } = await createLink(sandbox);
  const unopened = await verify(sandbox);
  const { returnUrl, callbackUrl, metadata } = linkBody;
  expect(unopened).toMatchObject({ status: 'initiated', returnUrl, callbackUrl, metadata });
  expect(unopened).toMatchObject({ paymentChannel: 'checkout', chargedAmount: 0 });
  expect(sandbox.control.listCheckoutLinks()).toMatchObject([{ id, isOpened: false }]);
  const accountNumber = sandbox.control.listPayments()[0]?.accountNumber ?? '';
  expect(sandbox.control.transfer({ accountNumber, amount: 1_250_000 }).transfer.status).toBe('returned');
  sandbox.control.openCheckoutLink(id);
  expect(await verify(sandbox)).toMatchObject({ id: unopened.id, status: 'awaiting_charge' });
  expect(sandbox.control.listCheckoutLinks()).toMatchObject([{ isOpened: true }]);
  expect(sandbox.control.openCheckoutLink(id).id).toBe(unopened.id);
  sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
  expect((await verify(sandbox)).status).toBe('succeeded');
});
