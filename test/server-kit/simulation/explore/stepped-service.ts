import type { Sandbox } from '../../../../server-kit/tools/sandbox/index.ts';
import { createCallback } from '../../../../server-kit/tools/testing/index.ts';
import type { Observer } from '../service/observer.ts';
import type { World } from '../world/settings.ts';
import type { SteppedProcess } from './stepped-process.ts';

/** How the service of a scenario departs from its normal behaviour. */
export type ServiceBehaviour = {
  /** It sends a callback about a new payment before its response. */
  callsBackEarly?: boolean;
  /** It creates accounts and links, but responds 500. */
  failsAfterCreating?: boolean;
  /** It never responds. */
  isSilent?: boolean;
  /** By status: how far `updatedAt` is ahead of the real time of the change to it. */
  stampAheadMs?: Readonly<Record<string, number>>;
  /** It reports every payment as unpaid: awaiting its charge, or expired. */
  forgetsMoney?: boolean;
  /** The expiry that it reports for every account. */
  expiresAt?: string;
};

export type ServiceParts = {
  world: World;
  sandbox: Sandbox;
  observer: Observer;
  deliver: typeof globalThis.fetch;
  behaviour: () => ServiceBehaviour;
};

/** The connection from one process to the service, with a step before each call and one before each response. */
export function steppedService(process: SteppedProcess, parts: ServiceParts): typeof globalThis.fetch {
  const { sandbox, observer, behaviour, world } = parts;

  const send = async (address: string, { signal, ...init }: RequestInit): Promise<Response> => {
    const path = new URL(address).pathname;
    const name = path.replace(/tc_\w+/, '…');
    switch (await process.at(`before ${name}`, ['refuse', 'fail', 'hold'])) {
      case 'refuse':
        return failure(429, 'too_many_requests');
      case 'fail':
        return failure(500, 'internal_error');
    }
    if (behaviour().isSilent) return untilAborted(signal);
    const made = await sandbox.fetch(address, init);
    const response = await applyBehaviour(made, { path, nowMs: world.clock.now() }, behaviour());
    await observer.responded(process, path, response.clone());
    if (isCreating(path) && made.ok) callBackEarly(parts, made.clone(), String(init.body)).catch(() => {});
    switch (await process.at(`after ${name}`, ['lose', 'cut', 'hold'])) {
      case 'lose':
        throw new TypeError('fetch failed');
      case 'cut':
        return new Response((await response.text()).slice(0, -20), response);
    }
    if (isCreating(path) && behaviour().failsAfterCreating) return failure(500, 'internal_error');
    observer.received(process, path, response.status);
    return response;
  };
  world.count('instances started');
  return (input, init = {}) => send(String(input), init);
}

const isCreating = (path: string): boolean => path === '/v1/payments' || path === '/v1/payments/checkout';

/** The lifetime of accounts where the service forgets money. */
const lifetimeMs = 60_000;

const unpaidAt = (nowMs: number, createdAt = '') => ({
  status: nowMs - Date.parse(createdAt) > lifetimeMs ? 'expired' : 'awaiting_charge',
  chargedAmount: 0,
  updatedAt: new Date(nowMs).toISOString(),
});

async function applyBehaviour(
  response: Response,
  { path, nowMs }: { path: string; nowMs: number },
  { stampAheadMs = {}, expiresAt, forgetsMoney }: ServiceBehaviour,
): Promise<Response> {
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

async function callBackEarly({ world, deliver, behaviour }: ServiceParts, made: Response, sent: string) {
  if (!behaviour().callsBackEarly) return;
  const { callbackUrl } = JSON.parse(sent) as { callbackUrl: string };
  const { id, reference } = (await made.json()) as { id: string; reference: string };
  const data = { id, reference, status: 'initiated', expectedAmount: 0 };
  const callback = await createCallback({ callbackUrl, data, signedAtMs: world.clock.now() });
  const headers = Object.fromEntries(callback.headers);
  await deliver(callbackUrl, { method: callback.method, headers, body: await callback.text() });
}

function failure(status: number, code: string): Response {
  const error = { type: 'api_error', code, message: 'Simulated failure.', params: [] };
  const headers = { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '1' }) };
  return new Response(JSON.stringify({ error }), { status, headers });
}

const untilAborted = (signal: RequestInit['signal']): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
