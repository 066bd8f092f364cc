import type { LogEntry } from '../../../server-kit/checkout/telemetry/log-event.ts';

/** A shop's keys, and what it knows of its customer: none of it belongs in a response or in the log. */
type Private = readonly string[];

const clientSecrets = /\bcs_(?:test|live)_\w+/g;

/**
 * Returns the secrets that a response tells anybody: keys, what is private, and client secrets; but a session's own secret is told to
 * its shopper.
 */
export async function secretsInResponse(
  { method, url }: Request,
  response: Response,
  keys: Private,
): Promise<string[]> {
  const text = `${JSON.stringify([...response.headers])}${await response.clone().text()}`;
  const isSession = response.ok && method === 'POST' && /\/(sessions|links)\/?$/.test(new URL(url).pathname);
  const own = isSession ? String(JSON.parse(await response.clone().text()).clientSecret) : undefined;
  return secretsIn(text, keys).filter((secret) => secret !== own);
}

/** Returns the secrets in the log, as a logger writes it. */
export const secretsInLog = (log: readonly LogEntry[], keys: Private): string[] =>
  secretsIn(JSON.stringify(log), keys);

const secretsIn = (text: string, keys: Private): string[] => [
  ...keys.filter((key) => text.includes(key)),
  ...(text.match(clientSecrets) ?? []),
];
