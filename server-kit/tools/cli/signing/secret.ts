import { type Command, Option } from 'commander';
import { isBare, sandboxCredentials } from '../../../client/signing/guessable-keys.ts';
import { UsageError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';

export type SecretOptions = { secret?: string | undefined; secretEnv?: string };

export const secretVariable = 'PAYMENTS_API_SECRET';

/** A secret and a description of its source. The secret itself is never printed. */
export type Secret = {
  secret: string;
  secretFrom: string;
  /** Whether it is the default secret of every sandbox. */
  isSandboxOwn: boolean;
};

export const addSecretOptions = (command: Command): Command =>
  command
    .option(
      '--secret-env <name>',
      `environment variable with the API secret (default: ${secretVariable}, or else the sandbox's own secret)`,
    )
    .addOption(
      new Option(
        '--secret <secret>',
        'the API secret itself; other users of this machine can see it',
      ).conflicts('secretEnv'),
    );

/** @throws {UsageError} for an empty secret, one with something around it, and a named variable that is not set */
export function readSecret({ secret, secretEnv }: SecretOptions, env: Io['env']): Secret {
  const secretFrom = secret === undefined ? (secretEnv ?? secretVariable) : 'the command line';
  const given = secret ?? env[secretFrom];
  if (given === undefined && secretEnv === undefined) {
    const own = `the sandbox's own (${secretVariable} is not set)`;
    return { secret: sandboxCredentials.apiSecret, secretFrom: own, isSandboxOwn: true };
  }
  if (!given)
    throw new UsageError(`There is no API secret in ${secretFrom}; set it to the secret of your account.`);
  return { secret: requireBare('API secret', given, secretFrom), secretFrom, isSandboxOwn: false };
}

/** @throws {UsageError} for a key with spaces, line ends or quotes around it, naming its source */
export function requireBare(what: string, key: string, from: string): string {
  if (isBare(key)) return key;
  throw new UsageError(
    `The ${what} in ${from} has spaces, line ends, quotes or hidden characters around it; remove them.`,
  );
}
