import { join } from 'node:path';
import { describeMounting } from './mounting-suite.ts';

describeMounting(
  'Bun',
  { prepare: async () => ({ command: ['bun', 'mounting/bun.ts'] }) },
  // Longer than Bun's default idle timeout.
  { holdSeconds: 12 },
);

describeMounting('Deno', {
  prepare: async ({ folder }) => ({
    command: ['deno', 'run', '--allow-env', '--allow-net', 'mounting/deno.ts'],
    env: { DENO_DIR: join(folder, '.deno') },
  }),
});
