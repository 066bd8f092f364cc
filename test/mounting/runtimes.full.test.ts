import { inWorkspace } from './in-workspace.ts';
import { describeMounting } from './mounting-suite.ts';

describeMounting(
  'Bun',
  inWorkspace('servers', 'bun', 'bun.js'),
  // Longer than Bun's default idle timeout.
  { holdSeconds: 12 },
);

describeMounting('Deno', inWorkspace('servers', 'deno', 'run', '--allow-env', '--allow-net', 'deno.js'));
