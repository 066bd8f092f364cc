import { setTimeout as pause } from 'node:timers/promises';

type JsonResponse = { body: unknown; etag: string | null };

/** Whether a valid request may be refused so while a database is down, or another process does the same. */
export const isOutage = (status: number): boolean => status >= 500 || status === 409 || status === 429;

/**
 * Repeats a request until it gets a response, because the instance may have been killed, and a refusal that is `expected`.
 *
 * @throws {Error} for any other refusal, because all requests here are valid
 */
export async function repeatRequest(
  url: string,
  init: RequestInit,
  isExpected: (status: number) => boolean = () => false,
): Promise<JsonResponse> {
  for (;;) {
    const received = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch(() => undefined);
    if (received !== undefined && !isExpected(received.response.status)) {
      const { response, text } = received;
      if (response.status >= 400)
        throw new Error(`${init.method ?? 'GET'} ${url}: ${response.status} ${text}`);
      return { body: text === '' ? undefined : JSON.parse(text), etag: response.headers.get('etag') };
    }
    await pause(received === undefined ? 20 : 100);
  }
}
