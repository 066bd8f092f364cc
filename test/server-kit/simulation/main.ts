import { runWave } from './wave.ts';

const [orders = 300, wave = 0, seed = 1, trace] = process.argv.slice(2);

import { steadyDigest } from './steady-digest.ts';

steadyDigest();
Error.stackTraceLimit = 0;
const t = Date.now();
const r = await runWave({
  seed: Number(seed),
  wave: Number(wave),
  orders: Number(orders),
  faults: 0.2,
  instances: 3,
  store: 'memory',
  trace,
});
console.log(r.counts, r.peaks, r.violations.slice(0, 5), r.story.join('\n'));
console.log(Date.now() - t, 'ms');
