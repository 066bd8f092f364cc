import { describeMounting } from './mounting-suite.ts';

describeMounting('Deno', {
  prepare: async () => ({ command: ['deno', 'run', '--allow-env', '--allow-net', 'mounting/deno.ts'] }),
});
