import * as v from 'valibot';
import { requireBare } from '../signing/secret.ts';
import { CliError, UsageError } from '../terminal/cli-error.ts';
import { fetchText } from '../terminal/fetch-text.ts';
import type { Io } from '../terminal/io.ts';

export const keyVariable = 'RECONCILE_KEY';

/**
 * Reads the reconcileKey from the environment. Errors never contain the key.
 *
 * @throws {UsageError} for a key that is missing or cannot be a header
 */
export function readReconcileKey(keyEnv: string, env: Io['env']): string {
  const key = env[keyEnv];
  if (!key)
    throw new UsageError(`There is no key in ${keyEnv}; set it to the reconcileKey of your checkout.`);
  requireBare('key', key, keyEnv);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError(`The key in ${keyEnv} contains a space; remove it.`);
}

export type CheckoutRoute = {
  url: string;
  method: 'GET' | 'POST';
  body?: object;
  key: string;
  /** The variable that the key was read from, for messages. */
  keyEnv: string;
  timeoutSeconds?: number;
  maxBytes: number;
};

/**
 * Calls a route of a mounted checkout that the reconcileKey protects, and parses its response.
 *
 * @throws {CliError} `key_refused`, `not_found`, `refused`, `not_a_checkout`, `timeout` or `connection_lost`
 */
export async function callCheckout<T>(
  { url, method, body, key, keyEnv, timeoutSeconds, maxBytes }: CheckoutRoute,
  Schema: v.GenericSchema<unknown, T>,
  io: Io,
): Promise<T> {
  const { status, text } = await fetchText(io, url, maxBytes, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
  });
  checkStatus(url, status, keyEnv);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Schema), text);
  if (parsed.success) return parsed.output;
  throw new CliError('not_a_checkout', `${url} did not respond like a checkout; check the address.`);
}

function checkStatus(url: string, status: number, keyEnv: string): void {
  if (status === 200) return;
  if (status === 401) {
    const message = `${url} refused the key; ${keyEnv} must be the reconcileKey of createCheckout.`;
    throw new CliError('key_refused', message);
  }
  if (status === 404) {
    const message = `There is no route at ${url}; check the address, and set reconcileKey in createCheckout.`;
    throw new CliError('not_found', message);
  }
  throw new CliError('refused', `${url} responded with ${status}; see the log of your server.`);
}
