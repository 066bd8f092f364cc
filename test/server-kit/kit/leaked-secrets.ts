import { type PlainHandler, toFetchHandler } from '../../../server-kit/core/http.ts';
import type { Checkout } from '../../../server-kit/engine/create-checkout.ts';

/** Client secrets, and the addresses of customers. */
const anySecret = /\bcs_(?:test|live)_\w+|[\w.+-]+@[\w-]+\.\w+/g;

/** Returns the secrets in a text: these keys, client secrets, and e-mail addresses. */
export const secretsIn = (text: string, keys: readonly string[]): string[] => [
  ...keys.filter((key) => text.includes(key)),
  ...(text.match(anySecret) ?? []),
];

/**
 * Returns the checkout with routes that throw where a response has a secret, but for the client secret of a session, which its shopper
 * receives. They, and `settled`, also throw after secrets were found in the log.
 */
export function failingOnLeaks(checkout: Checkout, keys: readonly string[], foundInLog: string[]): Checkout {
  const failOn = (found: readonly string[]): void => {
    if (found.length > 0) throw new Error(`A response or the log has secrets: ${found.join(', ')}`);
  };
  const respond: PlainHandler = async (request) => {
    const response = await checkout.respond(request);
    const { status, headers, body = '' } = response;
    const isOpening = request.method === 'POST' && /\/(sessions|links)\/?$/.test(request.url.pathname);
    const own = isOpening && status < 300 ? String(JSON.parse(body).clientSecret) : '';
    failOn([
      ...foundInLog.splice(0),
      ...secretsIn(`${JSON.stringify(headers)}${body.replace(own, '')}`, keys),
    ]);
    return response;
  };
  const settled = async (): Promise<void> => {
    await checkout.settled();
    failOn(foundInLog.splice(0));
  };
  return { ...checkout, respond, settled, handler: toFetchHandler(respond) };
}
