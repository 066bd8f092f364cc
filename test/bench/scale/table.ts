import type { Measured } from './operation.ts';

const columns: readonly [title: string, value: (one: Measured) => string][] = [
  ['operation', ({ name }) => name],
  ['result', ({ result }) => result],
  ['buffers', ({ cost }) => round(cost.buffers)],
  ['statements', ({ cost }) => round(cost.statements)],
  ['round trips', ({ cost }) => round(cost.roundTrips)],
  ['explicit transactions', ({ cost }) => round(cost.transactions)],
  ['updates (HOT)', ({ cost }) => `${round(cost.updates)} (${round(cost.hotUpdates)})`],
  ['WAL, bytes', ({ cost }) => round(cost.walBytes)],
];

/** Returns a Markdown table of the costs. */
export function toTable(measured: readonly Measured[]): string {
  return markdown(
    columns.map(([title]) => title),
    measured.map((one) => columns.map(([, value]) => value(one))),
  );
}

/** Returns a Markdown table of the buffers, with a column for each number of orders. */
export function toSummary(results: ReadonlyMap<number, readonly Measured[]>): string {
  const names = new Set([...results.values()].flat().map(({ name }) => name));
  return markdown(
    ['buffers of', ...[...results.keys()].map((orders) => `${orders.toLocaleString('en')} orders`)],
    [...names].map((name) => [
      name,
      ...[...results.values()].map((measured) => {
        const found = measured.find((one) => one.name === name);
        return found === undefined ? '' : round(found.cost.buffers);
      }),
    ]),
  );
}

const markdown = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const round = (number: number): string =>
  number.toLocaleString('en', { maximumFractionDigits: number < 100 ? 1 : 0 });
