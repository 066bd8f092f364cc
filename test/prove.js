import { runBuilt, runCommand, runNamed } from './run-built.js';

/** `npm run prove -- explore` and the like: long searches for a fault. */
await runNamed('prove', {
  explore: (parameters) =>
    runBuilt('test/server-kit/engine/order/explore', parameters, ['--max-old-space-size=12000']),
  simulate: (parameters) => runBuilt('test/server-kit/simulation', parameters),
  soak: (parameters) => runCommand('node', ['test/server-kit/soak/start.js', ...parameters]),
  fuzz: (parameters) => runCommand('node', ['test/fuzz/start.js', ...parameters]),
  mutate: (parameters) => runCommand('npx', ['stryker', 'run', ...parameters]),
});
