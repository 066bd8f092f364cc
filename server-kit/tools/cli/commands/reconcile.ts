import { type Command, Option } from 'commander';
import { reconcileByUrl } from '../checkout/reconcile-by-url.ts';
import { reconcileModule } from '../checkout/reconcile-module.ts';
import { addSourceOptions, missingSource, type SourceOptions } from '../checkout/source-options.ts';
import type { Io } from '../terminal/io.ts';
import { addJsonOption, readWholeNumber } from '../terminal/options.ts';

type ReconcileOptions = SourceOptions & { once?: boolean; every: number; json?: boolean };

export function addReconcileCommand(program: Command, io: Io): void {
  const command = program
    .command('reconcile')
    .summary('verify due payments and call your handlers')
    .description(
      'Verifies payments that no shopper waits for, and calls your handlers. With --module it runs the rounds of start() in ' +
        'its own process; with --url it calls POST {base}/reconcile, for cron.',
    )
    .addOption(new Option('--once', 'stop when nothing is due instead of at Ctrl-C').conflicts('url'))
    .option('--every <seconds>', 'the pause between two rounds', readWholeNumber(1, 3600), 10)
    .action((options: ReconcileOptions) => reconcile(options, io));
  addJsonOption(addSourceOptions(command)).addHelpText('after', examples);
}

const examples = `
Examples:
  $ transfer-checkout reconcile --module ./checkout.js
  $ transfer-checkout reconcile --module ./checkout.js --export shopCheckout --once
  $ RECONCILE_KEY=… transfer-checkout reconcile --url https://shop.example/checkout`;

async function reconcile({ module, url, ...options }: ReconcileOptions, io: Io): Promise<void> {
  if (module !== undefined) return reconcileModule({ ...options, module }, io);
  if (url !== undefined) return reconcileByUrl({ ...options, url }, io);
  throw missingSource();
}
