import { createHmac } from 'node:crypto';

/** A request to the shop. */
export type SignedPost = {
  url: string;
  /** `whsec_…`. Each signs, so that the shop can replace one. */
  secrets: readonly string[];
  /** The same for each try: the shop's idempotency key. */
  id: string;
  /** Sent as JSON. */
  body: object;
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the request is given up. */
  timeoutMs: number;
  signal?: AbortSignal;
};

export type Post = (request: SignedPost) => Promise<Response>;

/**
 * Creates what sends requests to the shop, signed by the Standard Webhooks specification (standardwebhooks.com): HMAC-SHA256 over
 * `id.timestamp.body`, in base64. The timestamp is that of the try. Redirects are not followed.
 */
export function createPost({ fetch, now }: { fetch: typeof globalThis.fetch; now: () => number }): Post {
  return async ({ url, secrets, id, body, headers, timeoutMs, signal }) => {
    const text = JSON.stringify(body);
    const timestamp = `${Math.floor(now() / 1000)}`;
    const signatures = secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${text}`)}`);
    return fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...headers,
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures.join(' '),
      },
      body: text,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    });
  };
}

const sign = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text)
    .digest('base64');
