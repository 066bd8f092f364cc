import { defineConfig } from 'vitest/config';

/** The tests that guard what `npm run prove -- mutate` changes: quick ones only, because they run for every mutant. */
export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: [
      'test/core/{machine,controller,poll}.test.ts',
      'test/{options,widget/description}/**/*.test.ts',
      'test/entry/attributes.test.ts',
      'test/server-kit/core/{callbacks,client-secret,constant-time,payment,payment-routes,signature}.test.ts',
      'test/server-kit/engine/shell/links.test.ts',
      'test/server-kit/engine/order/**/*.test.ts',
      'test/server-kit/engine/outbox/**/*.test.ts',
      'test/server-kit/engine/routes/{router,held-responses,request-limits,shutdown}.test.ts',
      'test/server-kit/checkout.test.ts',
    ],
    exclude: ['test/**/*.full.test.ts', 'test/server-kit/engine/order/explore/**'],
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
