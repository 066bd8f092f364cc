import { describe, expect, it } from 'vitest';
import type { DedicatedAccountSeed, SandboxOptions } from '../../../../../server-kit/tools/sandbox/index.ts';
import { business, individual } from '../../../kit/account-requests.ts';
import {
  call,
  controlCall,
  expectConflict,
  initiate,
  memoryStorage,
  newSandbox,
  verify,
} from '../sandbox-kit.ts';

/** A request for an account, and what may be done with it. */
async function requestAccount(body: object = individual, options: SandboxOptions = {}) {
  const sandbox = newSandbox(options);
  const { accountRequestCode: code } = (await call(sandbox, '/v1/dedicated_accounts', { body })).body;
  const path = `/_sandbox/dedicated_accounts/${code}`;
  return {
    sandbox,
    code,
    consent: (seed: DedicatedAccountSeed | object = {}) => controlCall(sandbox, `${path}/consent`, seed),
    refuse: () => controlCall(sandbox, `${path}/refusal`, {}),
    update: (input: object) => controlCall(sandbox, path, input),
    retrieve: () => sandbox.control.listDedicatedAccounts()[0],
  };
}
const createdAt = '2026-01-02T09:30:00.000Z';

describe('POST /v1/dedicated_accounts', () => {
  it.each([individual, business])('requests consent: $accountType', async (body) => {
    const { sandbox, code, retrieve } = await requestAccount(body);
    const { accountType, accountName, email, currency, callbackUrl } = body;
    expect(retrieve()).toEqual({
      ...{ accountType, accountName, email, currency, callbackUrl, createdAt },
      accountRequestCode: code,
      status: 'awaiting_customer_consent',
      customerId: expect.stringMatching(/^cus_/),
      nextStatuses: [],
      account: null,
      transfers: [],
    });
    expect((await call(sandbox, '/v1/dedicated_accounts')).body.data).toEqual([]);
  });

  it('accepts the banks of the dialect', async () => {
    const { consent } = await requestAccount(
      { ...individual, preferredBank: 'first_bank' },
      { dialect: { preferredBanks: ['first_bank'] } },
    );
    expect((await consent()).body).toMatchObject({ bankId: 'first_bank', bankName: 'First Bank' });
  });
});

describe('consent', () => {
  it.each([
    ['dedicated_virtual_account', individual, 'sandbox_mfb', 'Sandbox Mfb'],
    ['dedicated_business_account', business, 'bank_999', 'Sandbox Bank'],
  ])('creates a %s', async (type, body, bankId, bankName) => {
    const { sandbox, code, consent, retrieve } = await requestAccount(body);
    const { body: account } = await consent();
    const { accountName, currency } = body;
    expect(account).toMatchObject({
      ...{ accountName, currency, type, bankId, bankName },
      accountRequestCode: code,
      customerId: retrieve()?.customerId,
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY',
      status: 'active',
      bank: { id: bankId, name: bankName, cbnCode: '999', nibssCode: '000999' },
    });
    expect((await call(sandbox, `/v1/dedicated_accounts/${account.id}`)).body).toEqual(account);
    const nextStatuses = ['expired', 'no_post_no_debit'];
    expect(retrieve()).toMatchObject({ status: 'active', account, nextStatuses });
  });

  it('can set the fields of the account', async () => {
    const { consent } = await requestAccount();
    const seed = { id: 'dac_1', accountNumber: '0000014579', bankName: 'First Bank', status: 'expired' };
    expect((await consent(seed)).body).toMatchObject(seed);
  });

  it('cannot use the number or the id of another account', async () => {
    const { sandbox, consent, retrieve } = await requestAccount();
    const { accountNumber } = await initiate(sandbox);
    expectConflict(await consent({ accountNumber }), 'account_number_exists', ['accountNumber']);
    const first = (await consent({ id: 'dac_1' })).body;
    await call(sandbox, '/v1/dedicated_accounts', { body: individual });
    const path = `/_sandbox/dedicated_accounts/${retrieve()?.accountRequestCode}/consent`;
    expectConflict(await controlCall(sandbox, path, { id: 'dac_1' }), 'id_exists', ['id']);
    const second = await controlCall(sandbox, path, { accountNumber: first.accountNumber });
    expectConflict(second, 'account_number_exists', ['accountNumber']);
  });

  it('is given once, or refused once', async () => {
    const given = await requestAccount();
    await given.consent();
    const refused = await requestAccount();
    expect((await refused.refuse()).body).toMatchObject({ status: 'refused', account: null });
    for (const { consent, refuse } of [given, refused]) {
      expectConflict(await consent(), 'transition_not_allowed', ['status']);
      expectConflict(await refuse(), 'transition_not_allowed', ['status']);
    }
    expectConflict(await refused.update({ status: 'expired' }), 'consent_missing', []);
  });
});

describe('money sent to a dedicated account', () => {
  const send = async (options: SandboxOptions = {}) => {
    const account = await requestAccount(individual, options);
    const { accountNumber } = (await account.consent()).body;
    const transfer = (amount: number) =>
      controlCall(account.sandbox, '/_sandbox/transfers', { accountNumber, amount });
    return { ...account, accountNumber, transfer };
  };

  it('becomes a payment that can be retrieved and verified', async () => {
    const { sandbox, accountNumber, transfer, retrieve } = await send();
    const { body } = await transfer(123_45);
    expect(body.transfer).toMatchObject({ accountNumber, amount: 123_45, status: 'accepted', createdAt });
    const payment = await verify(sandbox, body.payment.reference);
    const { email: receiptEmail, callbackUrl } = individual;
    expect(payment).toMatchObject({
      id: body.payment.id,
      status: 'succeeded',
      paymentMethod: 'dedicated_virtual_account',
      paymentChannel: 'bank_account',
      ...{ expectedAmount: 123_45, chargedAmount: 123_45, receiptEmail, callbackUrl },
      customerId: retrieve()?.customerId,
    });
    expect((await call(sandbox, `/v1/payments/${payment.id}`)).body).toEqual(payment);
    expect(retrieve()?.transfers).toEqual([body.transfer]);
    expect(sandbox.control.listPayments()[0]?.transfers).toEqual([body.transfer]);
  });

  it('writes as much the tenth time as the first', async () => {
    const storage = memoryStorage();
    const { sandbox, transfer, retrieve, accountNumber } = await send({ storage });
    // The callback about the account itself.
    await sandbox.settled();
    const sizeOfNext = async (): Promise<number> => {
      const before = storage.entries.length;
      await transfer(500);
      await sandbox.settled();
      return JSON.stringify(storage.entries.slice(before)).length;
    };
    const first = await sizeOfNext();
    for (let count = 2; count < 10; count++) await transfer(500);
    await sandbox.settled();
    expect(await sizeOfNext()).toBe(first);
    const again = newSandbox({ storage });
    expect(again.control.listDedicatedAccounts()).toEqual([retrieve()]);
    expect(retrieve()?.transfers.map((one) => one.accountNumber)).toEqual(Array(10).fill(accountNumber));
  });

  it.each(['expired', 'no_post_no_debit'])('is returned when the account is %s', async (status) => {
    const { sandbox, transfer, update, retrieve } = await send();
    await update({ status });
    const { body } = await transfer(500);
    expect(body).toEqual({
      transfer: expect.objectContaining({ status: 'returned', reason: expect.stringContaining(status) }),
      payment: null,
    });
    expect(retrieve()?.transfers).toEqual([body.transfer]);
    expect(sandbox.control.listPayments()).toEqual([]);
  });
});
