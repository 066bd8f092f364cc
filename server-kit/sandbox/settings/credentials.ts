/** What a sandbox accepts unless it is told otherwise. Anybody may know it. */
export const sandboxCredentials = {
  apiKey: 'pk_test_sandbox',
  apiSecret: 'sk_test_sandbox',
  authToken: 'auth_test_sandbox',
} as const;
