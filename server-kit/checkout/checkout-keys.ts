import { CheckoutError } from '../../src/contract/index.ts';
import { credentialNameOf, isReservedHost as isReserved } from '../core/client.ts';
import type { CheckoutSettings } from './checkout-options.ts';
import { publishedKeys } from './published-keys.ts';

/**
 * Checks the keys of a checkout and of its client against each other and against those that this package publishes.
 *
 * @throws {CheckoutError} `invalid_options`, naming the option and what to pass instead, but no key
 */
export function checkKeys(options: CheckoutSettings): void {
  const fault = describeReuse(options) ?? describePublished(options);
  if (fault !== undefined) throw new CheckoutError('invalid_options', fault);
}

/** The options of `createCheckout` that are keys, each with its value. */
const keysOf = ({ clientSecretKeys, reconcileKey }: CheckoutSettings): [name: string, key: string][] => [
  ...clientSecretKeys.map((key): [string, string] => ['clientSecretKeys', key]),
  ...(reconcileKey === undefined ? [] : [['reconcileKey', reconcileKey] as [string, string]]),
];

/** If two keys are equal, a leak of one is a leak of both. */
function describeReuse(options: CheckoutSettings): string | undefined {
  const { payments, clientSecretKeys, reconcileKey } = options;
  for (const [name, key] of keysOf(options)) {
    const other = credentialNameOf(payments, key);
    if (other !== undefined) return reuse(name, `${other} of createPaymentsClient`);
  }
  const isShared = reconcileKey !== undefined && clientSecretKeys.includes(reconcileKey);
  return isShared ? reuse('reconcileKey', 'clientSecretKeys') : undefined;
}

const reuse = (name: string, other: string): string =>
  `${name}: must not have a value of ${other}; make another key with: openssl rand -hex 32.`;

/** With a published key anybody can sign callbacks, read payments, or run the reconciler. */
function describePublished(options: CheckoutSettings): string | undefined {
  const { payments, publicUrl, allowSandbox } = options;
  const name =
    publishedKeys.map((key) => credentialNameOf(payments, key)).find((found) => found !== undefined) ??
    keysOf(options).find(([, key]) => publishedKeys.includes(key))?.[0];
  const { hostname } = new URL(publicUrl);
  const reason = payments.canBeLive
    ? 'the payments may be live'
    : !isReserved(hostname) && `publicUrl is at ${hostname}`;
  if (name === undefined || allowSandbox || !reason) return undefined;
  return `${name}: has a value that this package publishes, and ${reason}. Pass a secret one, or allowSandbox: true where this is a demo or a staging system.`;
}
