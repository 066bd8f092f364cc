/** The default credentials of every sandbox. They are public. */
export const sandboxCredentials = {
  apiKey: 'pk_test_sandbox',
  apiSecret: 'sk_test_sandbox',
  authToken: 'auth_test_sandbox',
} as const;

/** The key of every shop that `createTestShop` creates. It is public. */
export const testShopKey = 'a-client-secret-key-for-tests-only';

/** All keys that this package and its README publish. */
export const publishedKeys: readonly string[] = [
  ...Object.values(sandboxCredentials),
  testShopKey,
  'for-a-first-try-and-nothing-else',
];
