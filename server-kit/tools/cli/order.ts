import type { Command } from 'commander';
import * as v from 'valibot';
import { callCheckout, callRoute, keyOption, urlOption } from './requests.ts';
import { addJsonOption, createPrinter, type Io, printable } from './terminal.ts';

type OrderOptions = { url: string; keyEnv: string; note?: string; json?: boolean };

export function addOrderCommand(program: Command, io: Io): void {
  const command = program
    .command('order')
    .summary('print the state of an order, and what to do')
    .description(
      'Prints, for a support person, what was asked for an order, what came, what the payments service says now, what your shop was ' +
        'told, and what to do. Times are in the time zone of this machine.',
    )
    .argument('<id>', 'the order’s id, a payment’s reference, or an account number')
    .requiredOption(...urlOption)
    .option(...keyOption)
    .option('--note <text>', 'note what you have done about the order, by its id: it then needs nobody')
    .action((id: string, options: OrderOptions) => printOrder(id, options, io));
  addJsonOption(
    command,
    'order 1001 --url https://shop.example/checkout',
    'order 1001 --url https://shop.example/checkout --note "Returned on 3 December"',
  );
}

async function printOrder(id: string, { url, keyEnv, note, json }: OrderOptions, io: Io): Promise<void> {
  if (note !== undefined) {
    const body = JSON.stringify({ orderId: id, text: note });
    await callRoute({ method: 'POST', url: `${url}/notes`, keyEnv, body }, io);
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const path = `orders/${encodeURIComponent(id)}?timeZone=${encodeURIComponent(timeZone)}`;
  const route = { method: 'GET', url: `${url}/${path}`, keyEnv, timeoutSeconds: 30 } as const;
  const { print } = createPrinter(io, json);
  if (json) return print(await callCheckout(route, v.array(v.looseObject({})), io), []);
  const text = await callRoute({ ...route, accept: 'text/plain' }, io);
  print({}, [printable(text.trimEnd())]);
}
