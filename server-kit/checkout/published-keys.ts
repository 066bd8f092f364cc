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

/** Returns whether a key consists of one part that repeats, such as `xxxx…` or `changemechangeme…`. */
export function isRepetitive(key: string): boolean {
  for (let length = 1; length <= key.length / 2; length++)
    if (key.slice(length) === key.slice(0, -length)) return true;
  return false;
}

/** What files, shells and editors leave: white space and quotes around a key, line ends and hidden characters anywhere. */
const stray = /^\s|\s$|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^["'`“‘].*["'`”’]$/u;

/** Returns whether a key is the key alone. With a line end after it, each request would get a 401. */
export const isBare = (key: string): boolean => !stray.test(key);

export const mustBeBare =
  'must be the key alone; remove the spaces, line ends, quotes or hidden characters around it';
