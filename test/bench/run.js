import { runBuilt, runNamed } from '../run-built.js';

/** `npm run bench -- wake` and the like: measurements, each with a reference in the same run. */
await runNamed('bench', {
  wake: (parameters) => runBuilt('test/bench/wake', parameters),
  browser: (parameters) => runBuilt('test/bench/browser', parameters),
  scale: (parameters) => runBuilt('test/bench/scale', parameters),
});
