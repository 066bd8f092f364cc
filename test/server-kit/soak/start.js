import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const help = `npm run prove -- soak [options]

Sends shoppers through two real processes of a shop, one of which is killed again and again, while PostgreSQL, started for
this, is cut off, paused and restarted. Then the merchant's ledger has to agree with the service, and the process that was never killed
has to hold no more memory, timers and open files than before.

  --orders N  how many (default 2000)
  --help      print this text`;

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '2000' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(`${help}\n`);
} else {
  const vitest = await startVitest(
    'test',
    [],
    {
      root,
      config: false,
      watch: false,
      environment: 'node',
      reporters: ['verbose'],
      include: ['test/server-kit/soak/*.full.test.ts'],
      env: { SOAK_ORDERS: values.orders },
      hookTimeout: 180_000,
    },
    { resolve: { tsconfigPaths: true } },
  );
  await vitest.close();
}
