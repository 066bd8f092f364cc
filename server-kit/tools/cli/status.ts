import type { Command } from 'commander';
import * as v from 'valibot';
import { toMajorUnits } from '../../service/minor-units.ts';
import { formatDuration } from '../sandbox/pages/format/text.ts';
import { callCheckout, keyOption, urlOption } from './requests.ts';
import { addJsonOption, createPrinter, type Io, type Row, toLines } from './terminal.ts';

type StatusOptions = { url: string; keyEnv: string; json?: boolean };

export function addStatusCommand(program: Command, io: Io): void {
  const command = program
    .command('status')
    .summary('print what a running checkout says of its payments')
    .description(
      'Prints what GET {base}/status says: the outcomes of all orders, how long the oldest payments have waited, and what waits ' +
        'for a person. With --json, ages are in milliseconds and amounts in minor units.',
    )
    .requiredOption(...urlOption)
    .option(...keyOption)
    .action((options: StatusOptions) => printStatus(options, io));
  addJsonOption(command, 'status --url https://shop.example/checkout');
}

async function printStatus({ url, keyEnv, json }: StatusOptions, io: Io): Promise<void> {
  const route = { method: 'GET', url: `${url}/status`, keyEnv } as const;
  const status = await callCheckout(route, v.record(v.string(), v.unknown()), io);
  const { needingPerson, ...others } = status;
  createPrinter(io, json).print(status, toLines([...toPersonRows(needingPerson), ...toRows(others)]));
}

const Money = v.object({
  value: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
});

const NeedingPerson = v.array(
  v.object({ orderId: v.string(), sinceMs: v.number(), sentence: v.string(), amount: v.nullable(Money) }),
);

const toPersonRows = (orders: unknown): Row[] =>
  v.is(NeedingPerson, orders)
    ? orders.map(({ orderId, sinceMs, amount, sentence }) => [
        'needs a person',
        `order ${orderId}, ${toText(amount)}, for ${formatAge(sinceMs)}: ${sentence}`,
      ])
    : [];

/** Returns a row for each field. It reads their names and not a list of them, so that it shows those of any version. */
function toRows(fields: object, group = ''): Row[] {
  return Object.entries(fields).flatMap(([field, value]): Row[] => {
    const name = group + toWords(field.replace(/Ms$/, ''));
    if (Array.isArray(value)) return value.map((item) => [name, toText(item)]);
    if (isGroup(value)) return toRows(value, `${name} `);
    return [[name, field.endsWith('Ms') && typeof value === 'number' ? formatAge(value) : toText(value)]];
  });
}

const toWords = (field: string): string => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !v.is(Money, value);

function toText(value: unknown): string {
  if (value === null) return 'none';
  if (v.is(Money, value)) return `${value.currency} ${toMajorUnits(value)}`;
  if (typeof value !== 'object') return String(value);
  const fields = Object.entries(value).map(([field, one]) => `${toWords(field)} ${toText(one)}`);
  return fields.join(', ');
}

const formatAge = (ms: number): string => formatDuration(Math.floor(ms / 1000));
