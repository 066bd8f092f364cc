import { describe, expect, it } from 'vitest';
import { toDedicatedAccountView } from '../../../server-kit/service/index.ts';

const account = {
  id: 'dac_1',
  accountNumber: '8100000999',
  accountName: 'Ada Obi',
  bankName: 'Bank',
  currency: 'NGN',
  status: 'active',
  liveMode: false,
};

describe('toDedicatedAccountView', () => {
  it('gives what a shopper needs to pay into it, and nothing else', () => {
    expect(toDedicatedAccountView(account)).toEqual({
      account: { number: '8100000999', name: 'Ada Obi', bankName: 'Bank' },
      currency: 'NGN',
      liveMode: false,
    });
  });

  it.each([
    { status: 'expired' },
    { status: 'no_post_no_debit' },
    { status: undefined },
    { accountNumber: undefined },
    { bankName: undefined },
    { currency: undefined },
  ])('gives nothing of one with %o', (change) => {
    expect(toDedicatedAccountView({ ...account, ...change })).toBeUndefined();
  });

  it('calls it no test where the service does not say', () => {
    const view = toDedicatedAccountView({ ...account, liveMode: undefined, accountName: undefined });
    expect(view).toMatchObject({ liveMode: true, account: { name: '' } });
  });
});
