import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { BareKey } from '../../core/secrets.ts';
import { sandboxCredentials } from '../../engine/published-keys.ts';
import { CliError, type Io } from './terminal.ts';

export type SecretOptions = { secret?: string | undefined; secretEnv?: string };

const secretVariable = 'PAYMENTS_API_SECRET';
const secretHelp = 'the API secret itself; other users of this machine can see it';

export const addSecretOptions = (command: Command): Command =>
  command
    .option(
      '--secret-env <name>',
      `environment variable with the API secret (default: ${secretVariable}, or else the sandbox's own secret)`,
    )
    .addOption(new Option('--secret <secret>', secretHelp).conflicts('secretEnv'));

/** Returns the API secret and a description of its source. The secret itself is never printed. */
export function readSecret(
  { secret, secretEnv }: SecretOptions,
  env: Io['env'],
): { secret: string; secretFrom: string } {
  const secretFrom = secret === undefined ? (secretEnv ?? secretVariable) : 'the command line';
  const given = secret ?? env[secretFrom];
  if (given === undefined && secretEnv === undefined) {
    const own = `the sandbox's own (${secretVariable} is not set)`;
    return { secret: sandboxCredentials.apiSecret, secretFrom: own };
  }
  if (!given)
    throw new CliError('usage', `There is no API secret in ${secretFrom}; set it to that of your account.`);
  return { secret: requireBare('API secret', given, secretFrom), secretFrom };
}

export function readOperatorKey(keyEnv: string, env: Io['env']): string {
  const key = env[keyEnv];
  if (!key)
    throw new CliError('usage', `There is no key in ${keyEnv}, nor in .env; set it to your operatorKey.`);
  return requireBare('key', key, keyEnv);
}

function requireBare(what: string, key: string, from: string): string {
  if (v.is(BareKey, key)) return key;
  const message = `The ${what} in ${from} has spaces, line ends, quotes or hidden characters around it; remove them.`;
  throw new CliError('usage', message);
}
