import type { Sandbox } from '../../../../server-kit/sandbox/index.ts';
import { createCallback } from '../../../../server-kit/testing/index.ts';
import type { Observer } from '../service/observer.ts';
import type { World } from '../world/settings.ts';
import type { StagedProcess } from './stage-process.ts';

/** How the service of a scene behaves, when nothing else goes wrong. */
export type ServiceManner = {
  /** It calls back about a payment that it has made before its response is there. */
  callsBackEarly?: boolean;
  /** It creates accounts and links, and responds 500. */
  failsAfterCreating?: boolean;
  /** It does not respond. */
  isSilent?: boolean;
  /** How far ahead the clock is of the node that stamps a change to this status, in milliseconds. */
  stampAheadMs?: Readonly<Record<string, number>>;
  /** It says that nothing was charged: each payment waits, or has expired. */
  forgetsMoney?: boolean;
  /** What it says of the expiry of every account. */
  expiresAt?: string;
};

export type ServiceParts = {
  world: World;
  sandbox: Sandbox;
  observer: Observer;
  deliver: typeof globalThis.fetch;
  manner: () => ServiceManner;
};

/** The way from one process to the service, with a step before each call and one before each response. */
export function stagedService(process: StagedProcess, parts: ServiceParts): typeof globalThis.fetch {
  const { sandbox, observer, manner, world } = parts;

  const send = async (address: string, { signal, ...init }: RequestInit): Promise<Response> => {
    const path = new URL(address).pathname;
    const name = path.replace(/tc_\w+/, '…');
    switch (await process.at(`before ${name}`, ['refuse', 'fail', 'hold'])) {
      case 'refuse':
        return failure(429, 'too_many_requests');
      case 'fail':
        return failure(500, 'internal_error');
    }
    if (manner().isSilent) return untilAborted(signal);
    const made = await sandbox.fetch(address, init);
    const response = await colour(made, { path, nowMs: world.clock.now() }, manner());
    await observer.responded(process, path, response.clone());
    if (isCreating(path) && made.ok) callBackEarly(parts, made.clone(), String(init.body)).catch(() => {});
    switch (await process.at(`after ${name}`, ['lose', 'cut', 'hold'])) {
      case 'lose':
        throw new TypeError('fetch failed');
      case 'cut':
        return new Response((await response.text()).slice(0, -20), response);
    }
    if (isCreating(path) && manner().failsAfterCreating) return failure(500, 'internal_error');
    observer.heard(process, path, response.status);
    return response;
  };
  world.count('instances started');
  return (input, init = {}) => send(String(input), init);
}

const isCreating = (path: string): boolean => path === '/v1/payments' || path === '/v1/payments/checkout';

/** How long an account waits in the scenes with a service that forgets. */
const waitMs = 60_000;

const unpaidAt = (nowMs: number, createdAt = '') => ({
  status: nowMs - Date.parse(createdAt) > waitMs ? 'expired' : 'awaiting_charge',
  ...{ chargedAmount: 0, updatedAt: new Date(nowMs).toISOString() },
});

async function colour(
  response: Response,
  { path, nowMs }: { path: string; nowMs: number },
  manner: ServiceManner,
): Promise<Response> {
  const { stampAheadMs = {}, expiresAt, forgetsMoney } = manner;
  const text = await response.clone().text();
  const body = response.ok
    ? (JSON.parse(text) as { status?: string; updatedAt?: string; createdAt?: string })
    : {};
  if (forgetsMoney && body.status !== undefined)
    return new Response(JSON.stringify({ ...body, ...unpaidAt(nowMs, body.createdAt) }), response);
  const aheadMs = stampAheadMs[body.status ?? ''] ?? 0;
  if (aheadMs !== 0 && body.updatedAt !== undefined) {
    const updatedAt = new Date(Date.parse(body.updatedAt) + aheadMs).toISOString();
    return new Response(JSON.stringify({ ...body, updatedAt }), response);
  }
  if (path === '/v1/payments' && response.ok && expiresAt !== undefined)
    return new Response(JSON.stringify({ ...body, expiresAt }), response);
  return response;
}

async function callBackEarly({ world, deliver, manner }: ServiceParts, made: Response, sent: string) {
  if (!manner().callsBackEarly) return;
  const { callbackUrl } = JSON.parse(sent) as { callbackUrl: string };
  const { id, reference } = (await made.json()) as { id: string; reference: string };
  const data = { id, reference, status: 'initiated', expectedAmount: 0 };
  const callback = await createCallback({ callbackUrl, data, signedAtMs: world.clock.now() });
  const headers = Object.fromEntries(callback.headers);
  await deliver(callbackUrl, { method: callback.method, headers, body: await callback.text() });
}

function failure(status: number, code: string): Response {
  const error = { type: 'api_error', code, message: 'It was made to fail.', params: [] };
  const headers = { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '1' }) };
  return new Response(JSON.stringify({ error }), { status, headers });
}

const untilAborted = (signal: RequestInit['signal']): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
