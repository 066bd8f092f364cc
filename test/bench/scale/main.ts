import { createDatabase, type ScaleDatabase } from './database.ts';
import type { Measured } from './operation.ts';
import { measureAll } from './operations.ts';
import { help, readOptions, type ScaleOptions } from './options.ts';
import { copy, countRows } from './seed.ts';
import { toSummary, toTable } from './table.ts';
import { type Template, writeTemplates } from './templates.ts';

const progress = (text: string): void => void process.stderr.write(`${text}\n`);
const print = (text: string): void => void process.stdout.write(`${text}\n\n`);
const format = (number: number): string => number.toLocaleString('en');

async function run(options: ScaleOptions): Promise<void> {
  const results = new Map<number, readonly Measured[]>();
  for (const orders of options.orders) {
    const database = await createDatabase(options);
    progress(`${format(orders)} orders in the database ${database.name}`);
    try {
      results.set(orders, await measureWith(database, orders, options));
    } finally {
      await database.close();
    }
  }
  if (results.size > 1) print(toSummary(results));
}

async function measureWith(database: ScaleDatabase, orders: number, { isDetailed }: ScaleOptions) {
  const { pool } = database;
  const nowMs = Date.now();
  const templates = await writeTemplates(pool, nowMs);
  await seed(database, templates, orders);
  const rows = (await countRows(pool)).map(([table, count]) => `${format(count)} ${table}`);
  progress('  measuring');
  const measured = await measureAll(database, { templates, nowMs, orders });
  print(`${format(orders)} orders. Rows: ${rows.join(', ')}\n\n${toTable(measured, isDetailed)}`);
  return measured;
}

async function seed({ pool }: ScaleDatabase, templates: readonly Template[], orders: number): Promise<void> {
  for (const [index, template] of templates.entries()) {
    const count = Math.ceil((orders * template.share) / 10_000);
    progress(`  ${format(count)} ${template.name}`);
    await copy(pool, template, { count, name: `${index}` });
  }
  await pool.query('VACUUM ANALYZE');
}

const options = readOptions(process.argv.slice(2));
if (options.isHelp) process.stdout.write(`${help}\n`);
else await run(options);
