import { type FloodSettings, runFlood } from './flood.ts';
import { type Line, measureFlood, measureHeld, measureWake } from './scenarios.ts';
import { runShop, type ShopSettings } from './shop.ts';

const help = `npm run bench -- wake [memory] [held] [databases] [flood]

Measures the time from a transfer to the response that says "paid", over real HTTP with real processes. All parts take five minutes.

  memory     2,000 shoppers wait at one instance
  held       5,000 wait, as many as an instance holds by default, and 10,000; needs a process that may open 12,000 files
  databases  2,000 wait at two instances on PostgreSQL
  flood      an honest shopper beside a flood of sessions
`;

const parts: Record<string, () => Promise<Line[]>> = {
  memory: async () => [await measureWake({ instances: 1 }, 2000, 'median 24 ms, p95 67 ms')],
  held: async () => [await measureHeld(5000), await measureHeld(10_000)],
  databases: async () => [await measureWake({ instances: 2 }, 2000, 'median 250 ms')],
  flood: async () => [await measureFlood(1), await measureFlood(200)],
};

async function run(names: readonly string[]): Promise<void> {
  if (names.includes('--help')) return void process.stdout.write(help);
  const unknown = names.filter((name) => parts[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown}; there are ${Object.keys(parts).join(', ')}.`);
  for (const name of names) {
    for (const { what, reached, target } of (await parts[name]?.()) ?? [])
      process.stdout.write(`${what}\n    reached: ${reached}\n    target:  ${target}\n`);
  }
}

const [role, settings, ...others] = process.argv.slice(2);
if (role === 'shop') await runShop(JSON.parse(settings ?? '') as ShopSettings);
else if (role === 'flood-process') runFlood(JSON.parse(settings ?? '') as FloodSettings);
else {
  const names = [role, settings, ...others].filter((name) => name !== undefined);
  await run(names.length === 0 ? Object.keys(parts) : names);
}
