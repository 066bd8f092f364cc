import { describe, expect, it } from 'vitest';
import { call, goodBody, initiate, newSandbox, type ReadResponse, startMs, verify } from '../sandbox-kit.ts';

const codeOf = ({ status, body }: ReadResponse) => [status, body.error.type, body.error.code];

describe('POST /v1/payments', () => {
  it('returns the account to pay into', async () => {
    const response = await call(newSandbox(), '/v1/payments', { body: goodBody });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^pay_[a-z0-9]{20}$/),
      reference: 'ord_1001',
      accountName: 'Sandbox Merchant / Ada Obi',
      accountNumber: expect.stringMatching(/^\d{10}$/),
      bankName: 'Sandbox Bank',
      amount: { value: 1_250_000, currency: 'NGN' },
      customer: {
        id: expect.stringMatching(/^cus_/),
        name: 'Ada Obi',
        email: 'ada@example.com',
        phoneNumber: '',
        address: '',
        reference: expect.stringMatching(/^cus_/),
        isBlacklisted: false,
        liveMode: false,
      },
      liveMode: false,
      expiresAt: '2026-01-02T09:45:00.000Z',
      metadata: { cart: ['book'] },
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
    const { paymentMethod: _none, expiresIn: _neither, ...linkBody } = goodBody;
    const payment = (reference: string) =>
      call(sandbox, '/v1/payments', { body: { ...goodBody, reference } });
    const link = (reference: string) =>
      call(sandbox, '/v1/payments/checkout', { body: { ...linkBody, reference } });
    expect((await link('ord_2')).status).toBe(200);
    const refused = [await payment('ord_1001'), await link('ord_1001'), await payment('ord_2')];
    for (const response of refused) {
      expect(codeOf(response)).toEqual([409, 'idempotency_error', 'reference_exists']);
      expect(response.body.error.params).toEqual(['reference']);
    }
  });
});

describe('GET /v1/payments/{id} and /v1/payments/{reference}/verify', () => {
  it('return the whole payment', async () => {
    const sandbox = newSandbox();
    const { id, customer } = await initiate(sandbox);
    const retrieved = await call(sandbox, `/v1/payments/${id}`);
    expect(retrieved.status).toBe(200);
    expect(retrieved.body).toEqual({
      id,
      reference: 'ord_1001',
      currency: 'NGN',
      status: 'awaiting_charge',
      accessToken: expect.stringMatching(/^tok_[a-z0-9]{32}$/),
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_FIXED',
      paymentMethod: 'pay_with_transfer',
      paymentChannel: 'api',
      customerId: customer.id,
      expectedAmount: 1_250_000,
      chargedAmount: 0,
      fee: 0,
      vat: 0,
      emtl: 0,
      callbackUrl: 'https://shop.example/callbacks',
      returnUrl: null,
      receiptEmail: 'ada@example.com',
      metadata: { cart: ['book'] },
      liveMode: false,
      createdAt: '2026-01-02T09:30:00.000Z',
      updatedAt: '2026-01-02T09:30:00.000Z',
    });
    expect(await verify(sandbox)).toEqual(retrieved.body);
  });

  it('find a reference that must be escaped in a path', async () => {
    const sandbox = newSandbox();
    const reference = 'ord/1001 ä?#%2F{id}';
    await initiate(sandbox, { reference });
    expect(await verify(sandbox, reference)).toMatchObject({ reference, status: 'awaiting_charge' });
  });

  it.each(['/v1/payments/pay_none', '/v1/payments/ord_1001', '/v1/payments/none/verify'])(
    'return 404 for %s',
    async (path) => {
      const sandbox = newSandbox();
      await initiate(sandbox);
      expect(codeOf(await call(sandbox, path))).toEqual([404, 'invalid_request_error', 'payment_not_found']);
    },
  );
});

describe('POST /v1/payments/checkout', () => {
  it('returns the link and creates no payment until it is opened', async () => {
    const sandbox = newSandbox({ publicUrl: 'https://pay.example/' });
    const { paymentMethod: _none, expiresIn: _neither, ...body } = goodBody;
    const returnUrl = 'https://shop.example/thanks';
    const response = await call(sandbox, '/v1/payments/checkout', { body: { ...body, returnUrl } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^chk_/),
      reference: 'ord_1001',
      amount: goodBody.amount,
      authorizationUrl: `https://pay.example/_sandbox/pay/${response.body.id}`,
      returnUrl,
      expiresAt: '2026-01-02T10:00:00.000Z',
      callbackUrl: goodBody.callbackUrl,
      metadata: goodBody.metadata,
      liveMode: false,
    });
    const verified = await call(sandbox, '/v1/payments/ord_1001/verify');
    expect(codeOf(verified)).toEqual([404, 'invalid_request_error', 'payment_not_found']);
    expect(verified.body.error.message).toMatch(/opened/);
  });
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
    expect(codeOf(response)).toEqual([422, 'invalid_request_error', 'validation_failed']);
    expect(response.body.error.params).toEqual(['amount.value']);
  });
});

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
