import type { Command } from 'commander';
import { statusRows } from '../../operator/status-rows.ts';
import { addSourceOptions, type SourceOptions } from '../checkout/source-options.ts';
import { readStatusFrom } from '../checkout/status-source.ts';
import type { Io } from '../terminal/io.ts';
import { addJsonOption } from '../terminal/options.ts';
import { createPrinter, printable } from '../terminal/printer.ts';

type Options = SourceOptions & { json?: boolean };

export function addStatusCommand(program: Command, io: Io): void {
  const command = program
    .command('status')
    .summary('count paid, late, unexpected and reversed payments')
    .description(
      'Counts the outcomes of all orders in the store, shows how long the oldest payment has waited, and lists events ' +
        'that wait for a handler. With --json, ages are in milliseconds.',
    )
    .action((options: Options) => printStatus(options, io));
  addJsonOption(addSourceOptions(command)).addHelpText('after', examples);
}

const examples = `
Examples:
  $ transfer-checkout status --module ./checkout.js
  $ RECONCILE_KEY=… transfer-checkout status --url https://shop.example/checkout --json`;

async function printStatus(options: Options, io: Io): Promise<void> {
  const status = await readStatusFrom(options, io);
  const { print, paint } = createPrinter(io, options.json);
  const rows = statusRows(status);
  const width = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const lines = rows.map(({ name, value, needsPerson = false }) => {
    const line = `  ${name.padEnd(width)}${printable(value)}`;
    return needsPerson ? paint('red', line) : line;
  });
  print(status, lines);
}
