import { describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../server-kit/core/index.ts';
import {
  type DedicatedAccount,
  requestDedicatedAccount,
  retrieveDedicatedAccount,
  toDedicatedAccountView,
} from '../../../server-kit/service/index.ts';
import { createSandbox, sandboxCredentials } from '../../../server-kit/tools/sandbox/index.ts';
import { individual } from '../kit/account-requests.ts';

/** An account of the sandbox, as a merchant's server retrieves it. */
async function createAccount(change: object = {}) {
  const sandbox = createSandbox({ fetch: async () => new Response(null, { status: 204 }) });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await sandbox.fetch(String(input), init);
    return Response.json({ ...(await response.json()), ...change }, { status: response.status });
  };
  const client = createPaymentsClient({
    baseUrl: 'https://service.example',
    ...sandboxCredentials,
    fetch,
  });
  const { accountRequestCode: code } = await requestDedicatedAccount(client, individual);
  const { id } = sandbox.control.consentToDedicatedAccount(code, {});
  const retrieve = (): Promise<DedicatedAccount> => retrieveDedicatedAccount(client, id);
  return { sandbox, code, retrieve };
}

describe('toDedicatedAccountView', () => {
  it('gives what a shopper needs to pay into it, and nothing else', async () => {
    const { retrieve } = await createAccount();
    const account = await retrieve();
    expect(toDedicatedAccountView(account)).toEqual({
      account: { number: account.accountNumber, name: account.accountName, bankName: account.bankName },
      currency: 'NGN',
      liveMode: false,
    });
  });

  it.each(['expired', 'no_post_no_debit'] as const)('gives nothing of one that is %s', async (status) => {
    const { sandbox, code, retrieve } = await createAccount();
    sandbox.control.updateDedicatedAccount(code, { status });
    expect(toDedicatedAccountView(await retrieve())).toBeUndefined();
  });

  it.each(['accountNumber', 'bankName', 'currency', 'status'])(
    'gives nothing where the service does not say the %s',
    async (field) => {
      const { retrieve } = await createAccount();
      expect(toDedicatedAccountView({ ...(await retrieve()), [field]: undefined })).toBeUndefined();
    },
  );

  it('gets no account whose number is not what a shopper would read', async () => {
    const { retrieve } = await createAccount({ accountNumber: '\u202e8100000999' });
    await expect(retrieve()).rejects.toMatchObject({
      code: 'invalid_response',
      params: ['accountNumber'],
    });
  });

  it('calls it no test where the service does not say', async () => {
    const { retrieve } = await createAccount();
    const view = toDedicatedAccountView({
      ...(await retrieve()),
      liveMode: undefined,
      accountName: undefined,
    });
    expect(view).toMatchObject({ liveMode: true, account: { name: '' } });
  });
});
