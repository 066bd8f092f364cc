import { runBuilt, runCommand, runNamed } from './run-built.js';

/** `npm run prove -- explore` and the like: long searches for a fault. */
await runNamed('prove', {
  explore: (parameters) =>
    runBuilt('test/server-kit/engine/order/explore', parameters, ['--max-old-space-size=12000']),
  simulate: (parameters) => runBuilt('test/server-kit/simulation', parameters),
  soak: (parameters) => {
    // The number of orders.
    process.env.SOAK_ORDERS ??= '2000';
    const config = ['--config', 'vitest.full.config.ts'];
    return runCommand('npx', ['vitest', 'run', ...config, 'test/server-kit/soak', ...parameters]);
  },
  fuzz: (parameters) => runCommand('node', ['test/fuzz/start.js', ...parameters]),
  mutate: (parameters) => runCommand('npx', ['stryker', 'run', ...parameters]),
});
