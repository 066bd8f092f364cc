import { describeMounting } from './mounting-suite.ts';

describeMounting(
  'Bun',
  { prepare: async () => ({ command: ['bun', 'mounting/bun.ts'] }) },
  // Longer than the silence that Bun allows where nothing is set.
  { holdSeconds: 12 },
);
