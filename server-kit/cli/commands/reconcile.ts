import { type Command, Option } from 'commander';
import { keyVariable } from '../checkout/call-checkout.ts';
import { reconcileByUrl } from '../checkout/reconcile-by-url.ts';
import { reconcileModule } from '../checkout/reconcile-module.ts';
import { UsageError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { addJsonOption, readBaseUrl, readWholeNumber } from '../terminal/options.ts';

type ReconcileOptions = {
  module?: string;
  export?: string;
  once?: boolean;
  every: number;
  url?: string;
  keyEnv: string;
  json?: boolean;
};

export function addReconcileCommand(program: Command, io: Io): void {
  const command = program
    .command('reconcile')
    .summary('look up payments that are due, and tell your handlers')
    .description(
      'Looks up payments for which nobody waits, and calls your handlers for what has come of them: what start() does in ' +
        'your server, in a process of its own (--module), or what POST {base}/reconcile does, for cron (--url).',
    )
    .addOption(new Option('--module <file>', 'an ES module that exports your checkout').conflicts('url'))
    .addOption(
      new Option('--export <name>', 'what it is exported as (default: checkout, or else default)').conflicts(
        'url',
      ),
    )
    .addOption(new Option('--once', 'until nothing is due, and not until Ctrl-C').conflicts('url'))
    .option('--every <seconds>', 'between two rounds', readWholeNumber(1, 3600), 10)
    .option(
      '--url <url>',
      'where your checkout is mounted, such as https://shop.example/checkout',
      readBaseUrl,
    )
    .option('--key-env <name>', 'environment variable with the reconcileKey, for --url', keyVariable)
    .action((options: ReconcileOptions) => reconcile(options, io));
  addJsonOption(command).addHelpText('after', examples);
}

const examples = `
Examples:
  $ transfer-checkout reconcile --module ./checkout.js
  $ transfer-checkout reconcile --module ./checkout.js --export shopCheckout --once
  $ RECONCILE_KEY=… transfer-checkout reconcile --url https://shop.example/checkout`;

async function reconcile({ module, url, ...options }: ReconcileOptions, io: Io): Promise<void> {
  if (module !== undefined) return reconcileModule({ ...options, module }, io);
  if (url !== undefined) return reconcileByUrl({ ...options, url }, io);
  throw new UsageError('Pass --module with a module that exports your checkout, or --url with its address.');
}
