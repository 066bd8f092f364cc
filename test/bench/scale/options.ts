import { parseArgs } from 'node:util';

export const help = `npm run bench -- scale [options]

Seeds orders in a database of its own on PostgreSQL, and prints what each operation of the checkout costs there: buffers,
statements, updates and WAL. At TEST_POSTGRES_URL, as a superuser, of version 15 or newer, with auto_explain and pg_walinspect.

  --orders N,N    numbers of orders to seed (default 100000,1000000, which takes some minutes)
  --statements    also print each statement, with its buffers
  --keep          keep the database, and print its name
  --help          print this text`;

export type ScaleOptions = {
  isHelp: boolean;
  orders: readonly number[];
  /** Whether to print each statement. */
  isDetailed: boolean;
  isKept: boolean;
};

/** @throws {Error} for unknown or invalid options */
export function readOptions(args: readonly string[]): ScaleOptions {
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { orders: { type: 'string' }, statements: flag, keep: flag, help: flag },
  });
  const numbers = (values.orders ?? '100000,1000000').split(',').map(Number);
  if (!numbers.every((number) => Number.isInteger(number) && number >= 1000))
    throw new Error('--orders must be whole numbers of at least 1000, such as 10000,100000.');
  return {
    isHelp: values.help === true,
    orders: numbers.toSorted((left, right) => left - right),
    isDetailed: values.statements === true,
    isKept: values.keep === true,
  };
}
