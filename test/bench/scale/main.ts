import { parseArgs } from 'node:util';
import { createDatabase, type ScaleDatabase } from './database.ts';
import type { Measured } from './operation.ts';
import { measureAll } from './operations.ts';
import { copy } from './seed.ts';
import { toSummary, toTable } from './table.ts';
import { type Template, writeTemplates } from './templates.ts';

const help = `npm run bench -- scale [--orders N,N]

Seeds orders in a database of its own on PostgreSQL, and prints what each operation of the checkout costs there: buffers,
statements, updates and WAL. At TEST_POSTGRES_URL, as a superuser, of version 15 or newer, with auto_explain and pg_walinspect.

  --orders N,N    numbers of orders to seed (default 100000,1000000, which takes some minutes)`;

const progress = (text: string): void => void process.stderr.write(`${text}\n`);
const print = (text: string): void => void process.stdout.write(`${text}\n\n`);
const format = (number: number): string => number.toLocaleString('en');

async function run(numbers: readonly number[]): Promise<void> {
  const results = new Map<number, readonly Measured[]>();
  for (const orders of numbers) {
    const database = await createDatabase();
    try {
      results.set(orders, await measureWith(database, orders));
    } finally {
      await database.close();
    }
  }
  if (results.size > 1) print(toSummary(results));
}

async function measureWith(database: ScaleDatabase, orders: number) {
  const nowMs = Date.now();
  const templates = await writeTemplates(database.pool, nowMs);
  await seed(database, templates, orders);
  progress(`Measures with ${format(orders)} orders`);
  const measured = await measureAll(database, { templates, nowMs, orders });
  print(`${format(orders)} orders\n\n${toTable(measured)}`);
  return measured;
}

async function seed({ pool }: ScaleDatabase, templates: readonly Template[], orders: number): Promise<void> {
  for (const [index, template] of templates.entries()) {
    const count = Math.ceil((orders * template.share) / 10_000);
    progress(`Copies ${format(count)} orders: ${template.name}`);
    await copy(pool, template, { count, name: `${index}` });
  }
  await pool.query('VACUUM ANALYZE');
}

const { values } = parseArgs({
  options: { orders: { type: 'string', default: '100000,1000000' }, help: { type: 'boolean' } },
});
const numbers = values.orders.split(',').map(Number);
if (values.help) process.stdout.write(`${help}\n`);
else if (numbers.every((number) => Number.isInteger(number) && number >= 1000)) await run(numbers);
else throw new Error('--orders must be whole numbers of at least 1000, such as 10000,100000.');
