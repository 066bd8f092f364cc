import type { LogEntry } from '../../../server-kit/checkout/telemetry/log-event.ts';

const clientSecrets = /\bcs_(?:test|live)_\w+/g;

/** Returns the secrets in a response: the named ones, and client secrets, but for that of a session, which its shopper receives. */
export async function secretsInResponse(
  { method, url }: Request,
  response: Response,
  named: readonly string[],
): Promise<string[]> {
  const body = await response.clone().text();
  const isSession = response.ok && method === 'POST' && /\/(sessions|links)\/?$/.test(new URL(url).pathname);
  const own = isSession ? String(JSON.parse(body).clientSecret) : undefined;
  return secretsIn(`${JSON.stringify([...response.headers])}${body}`, named).filter(
    (secret) => secret !== own,
  );
}

/** Returns the secrets in the log, as a logger writes it. */
export const secretsInLog = (log: readonly LogEntry[], named: readonly string[]): string[] =>
  secretsIn(JSON.stringify(log), named);

const secretsIn = (text: string, named: readonly string[]): string[] => [
  ...named.filter((secret) => text.includes(secret)),
  ...(text.match(clientSecrets) ?? []),
];
