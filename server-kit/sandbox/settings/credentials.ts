/** The default credentials of every sandbox. They are public. */
export const sandboxCredentials = {
  apiKey: 'pk_test_sandbox',
  apiSecret: 'sk_test_sandbox',
  authToken: 'auth_test_sandbox',
} as const;
