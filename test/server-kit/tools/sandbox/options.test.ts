import { expect, it } from 'vitest';
import { createSandbox } from '../../../../server-kit/tools/sandbox/index.ts';
import { CheckoutError } from '../../../../src/contract/index.ts';

it.each<[unknown, RegExp]>([
  [{ apiKey: '' }, /apiKey: must be a string that is not blank/],
  [{ apiSecret: 7 }, /apiSecret: must be a string that is not blank/],
  [{ apiSecret: 'sk_mine\n', authToken: '"auth_mine"' }, /apiSecret: must be the key alone.*authToken: /],
  [{ now: 5 }, /now: must be a function/],
  [{ wait: 1000 }, /wait: must be a function/],
  [{ basePath: 'service' }, /basePath: must be a path such as "\/service"/],
  [{ basePath: '/a b' }, /basePath/],
  [{ publicUrl: 'javascript:alert(1)' }, /publicUrl: must be an absolute http\(s\) URL/],
  [{ publicUrl: 'http://localhost/?a=1' }, /publicUrl/],
  [{ confirmationSeconds: -1 }, /confirmationSeconds: must be a whole number of seconds from 0/],
  [{ acceptedAmountPolicy: 'FIXED' }, /acceptedAmountPolicy: must be one of ACCEPTED_AMOUNT_POLICY_FIXED/],
  [{ defaultExpiresInSeconds: 0 }, /defaultExpiresInSeconds: must be a whole number of seconds from 1/],
  [{ defaultExpiresInSeconds: 1_800_000_000 }, /defaultExpiresInSeconds/],
  [{ bank: { name: 'B', code: '99' } }, /bank\.code: must have 3 digits/],
  [{ bank: { name: 'B', code: 999 } }, /bank/],
  [{ bank: null }, /bank: must be an object \{ name, code \}/],
  [{ businessName: ' ' }, /businessName/],
  [{ dialect: { amountUnit: 100 } }, /dialect\.amountUnit: /],
  [{ dialect: { amountsUnit: 'minor' } }, /dialect\.amountsUnit: is not a known field/],
  [{ dialect: { valueOf: (): string => '' } }, /dialect\.valueOf: is not a known field/],
  [{ apiSecrets: ['a'] }, /apiSecrets: is not a known field/],
  [{ toString: 1 }, /toString: is not a known field/],
  [{ apiKey: ' ', now: 5 }, /apiKey: must be .*; now: must be a function/],
  [null, /options: must be an object/],
])('createSandbox refuses %j', (options, message) => {
  expect(() => createSandbox(options as never)).toThrow(CheckoutError);
  expect(() => createSandbox(options as never)).toThrow(message);
});
