import { expect } from 'vitest';
import type { PaymentInitiationRequest } from '../../../../server-kit/core/endpoints.ts';
import { signRequest, toTimestamp } from '../../../../server-kit/core/signature.ts';
import { createDialect, type ServiceDialect } from '../../../../server-kit/service/dialect.ts';
import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type Storage,
  type StoredRecord,
} from '../../../../server-kit/tools/sandbox/index.ts';

export const origin = 'http://service.example';
export const startMs = Date.UTC(2026, 0, 2, 9, 30, 0);

/** Randomness that repeats (mulberry32), so that a failing test fails again. */
export function seededRandom(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const newSandbox = (options: SandboxOptions = {}): Sandbox =>
  createSandbox({ now: () => startMs, random: seededRandom(), fetch: receiveAll, ...options });

/** Receives every callback, so that no test calls a real shop. */
const receiveAll = async (): Promise<Response> => new Response(null, { status: 204 });

/** What outlives a sandbox, in this process. A copy goes in and out, as with a file. */
export function memoryStorage(): Storage & { entries: StoredRecord[] } {
  const entries: StoredRecord[] = [];
  return {
    entries,
    append: async (added) => void entries.push(...structuredClone(added)),
  };
}

export type ReadResponse = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the content
  body: any;
};

export async function read(response: Response): Promise<ReadResponse> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

export type SignedCall = {
  method?: string;
  body?: unknown;
  /** Sent instead of the text that was signed. */
  sentText?: string | Uint8Array;
  secret?: string;
  timestamp?: string;
  /** Signed instead of the path that is called. */
  signedPath?: string;
  /** What is sent for the signature that was made. */
  forge?: (signature: string) => string;
  basePath?: string;
  dialect?: Partial<ServiceDialect>;
  /** Added to, or put in place of, the signed headers; `null` leaves one out. */
  headers?: Record<string, string | null>;
};

/** Calls the sandbox as a merchant's server does: signed with the real `signRequest`. */
export async function call(
  sandbox: Pick<Sandbox, 'fetch' | 'now'>,
  path: string,
  options: SignedCall = {},
): Promise<ReadResponse> {
  const { body, method = body === undefined ? 'GET' : 'POST', secret = 'sk_test_sandbox' } = options;
  const timestamp = options.timestamp ?? toTimestamp(sandbox.now());
  const dialect = createDialect(options.dialect);
  const signedPath = options.signedPath ?? new URL(path, origin).pathname;
  const { bodyText, signature } = await signRequest({ secret, path: signedPath, body, timestamp, dialect });
  const headers = new Headers({
    'request-signature': options.forge?.(signature) ?? signature,
    'request-timestamp': timestamp,
  });
  if (bodyText !== undefined) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const sent = (options.sentText ?? bodyText) as BodyInit | undefined;
  const url = origin + (options.basePath ?? '') + path;
  return read(await sandbox.fetch(url, { method, headers, ...(sent !== undefined && { body: sent }) }));
}

export async function controlCall(
  sandbox: Sandbox,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ReadResponse> {
  const json = { 'content-type': 'application/json', ...headers };
  const init =
    body === undefined ? { headers } : { method: 'POST', body: JSON.stringify(body), headers: json };
  return read(await sandbox.fetch(origin + path, init));
}

export const goodBody = {
  reference: 'ord_1001',
  paymentMethod: 'pay_with_transfer',
  amount: { value: 1_250_000, currency: 'NGN' },
  customer: { email: 'ada@example.com', name: 'Ada Obi' },
  expiresIn: 900,
  callbackUrl: 'https://shop.example/callbacks',
  metadata: { cart: ['book'] },
} satisfies PaymentInitiationRequest;

const { paymentMethod: _none, expiresIn: _neither, ...common } = goodBody;
export const linkBody = { ...common, returnUrl: 'https://shop.example/thanks' };

export async function createLink(sandbox: Sandbox, changes: object = {}, basePath = '') {
  const body = { ...linkBody, ...changes };
  return (await call(sandbox, '/v1/payments/checkout', { body, basePath })).body;
}

export async function initiate(sandbox: Sandbox, changes: object = {}): Promise<ReadResponse['body']> {
  const response = await call(sandbox, '/v1/payments', { body: { ...goodBody, ...changes } });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  return response.body;
}

export const verify = async (
  sandbox: Sandbox,
  reference = goodBody.reference,
): Promise<ReadResponse['body']> =>
  (await call(sandbox, `/v1/payments/${encodeURIComponent(reference)}/verify`)).body;

/** Every refusal is an envelope as section 7 says, dated by the sandbox's clock. */
export function expectRefusal(
  response: ReadResponse,
  status: number,
  code: string,
  params: readonly string[] = response.body?.error.params,
): void {
  const { error } = response.body ?? {};
  expect([response.status, error?.code, error?.params.sort()]).toEqual([status, code, params]);
  expect(Object.keys(response.body)).toEqual(['error']);
  expect(Object.keys(response.body.error).sort()).toEqual(['code', 'message', 'params', 'type']);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('date')).toBe('Fri, 02 Jan 2026 09:30:00 GMT');
}

export const expectConflict = (response: ReadResponse, code: string, params: readonly string[]): void =>
  expect(response).toMatchObject({ status: 409, body: { error: { code, params } } });
