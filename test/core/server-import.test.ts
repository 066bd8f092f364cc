import { expect, it } from 'vitest';

it('importing the package on a server touches no page', async () => {
  expect(typeof document).toBe('undefined');
  const { mountCheckout, CheckoutError } = await import('../../src/index.ts');
  await import('../../src/element.ts');
  expect(() => mountCheckout(undefined as never)).toThrow(CheckoutError);
});
