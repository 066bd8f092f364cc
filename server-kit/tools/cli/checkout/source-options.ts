import { type Command, Option } from 'commander';
import { UsageError } from '../terminal/cli-error.ts';
import { readBaseUrl } from '../terminal/options.ts';
import { keyVariable } from './call-checkout.ts';

/** Where a command finds the checkout: in a module that exports it, or at its URL. */
export type SourceOptions = { module?: string; export?: string; url?: string; keyEnv: string };

export const addSourceOptions = (command: Command): Command =>
  command
    .addOption(new Option('--module <file>', 'an ES module that exports your checkout').conflicts('url'))
    .addOption(
      new Option('--export <name>', 'the name of the export (default: checkout, or else default)').conflicts(
        'url',
      ),
    )
    .option(
      '--url <url>',
      'where your checkout is mounted, such as https://shop.example/checkout',
      readBaseUrl,
    )
    .option('--key-env <name>', 'environment variable with the reconcileKey, for --url', keyVariable);

export const missingSource = (): UsageError =>
  new UsageError('Pass --module with a module that exports your checkout, or --url with its address.');
