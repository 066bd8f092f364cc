import type { PlainResponse } from '../../../../server-kit/core/http.ts';
import type { Sandbox } from '../../../../server-kit/tools/sandbox/index.ts';
import { createCallback } from '../../../../server-kit/tools/testing/index.ts';
import type { RequestParts } from '../shop/plain-requests.ts';
import type { MailedLink } from '../shoppers/paying.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';
import type { Observer } from './observer.ts';
import type { ServiceNodes } from './service-nodes.ts';

/** The faults of a call that never reaches the service. */
const refusals = ['500', '503 of a gateway', '429', 'no connection', 'no response'] as const;

export type ServiceParts = {
  sandbox: Sandbox;
  observer: Observer;
  deliver: typeof globalThis.fetch;
  nodes: ServiceNodes;
  /** Mails a link to the shopper, as the service may do on its own. */
  mail: (link: MailedLink) => void;
};

/** The connection of one process to the service: calls are refused or get no response, or take effect but lose their response. */
export function servicePort(
  world: World,
  process: SimulatedProcess,
  { sandbox, observer, deliver, nodes, mail }: ServiceParts,
): typeof globalThis.fetch {
  const { clock, count, faults } = world;
  const { random } = process;

  const send = async (address: string, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    await clock.wait(random.between(10, 300), signal);
    if (random.chance(faults())) return refuse(signal);
    const { signal: _, ...sent } = init;
    const path = new URL(address).pathname;
    const response = await nodes.respond(path, await sandbox.fetch(address, sent));
    await observer.responded(process, path, response.clone());
    if (path === '/v1/payments/checkout' && response.ok && random.chance(faults() / 2)) {
      count('links mailed by the service');
      mail((await response.clone().json()) as MailedLink);
    }
    // A link has no payment until it is opened, so there is no early callback about it.
    if (path === '/v1/payments' && response.ok && random.chance(0.3))
      callBackEarly(response.clone(), JSON.parse(String(sent.body))).catch(() => {});
    if (random.chance(faults())) {
      count('service responses lost');
      if (random.chance(0.5)) await untilAborted(signal);
      throw new TypeError('fetch failed');
    }
    if (random.chance(0.1)) await clock.wait(random.between(100, 12_000), signal);
    observer.received(process, path, response.status);
    return response;
  };

  /** Sends a callback about a new payment, which may arrive before the response to its creation. */
  const callBackEarly = async (made: Response, { callbackUrl }: { callbackUrl: string }): Promise<void> => {
    const { id, reference } = (await made.json()) as { id: string; reference: string };
    const data = { id, reference, status: 'initiated', expectedAmount: 0 };
    const callback = await createCallback({ callbackUrl, data, signedAtMs: clock.now() });
    const { method, headers } = callback;
    count('callbacks sent before the response');
    await deliver(callbackUrl, { method, headers: Object.fromEntries(headers), body: await callback.text() });
  };

  const refuse = async (signal: AbortSignal): Promise<Response> => {
    count('service calls refused');
    const refusal = random.pick(refusals);
    switch (refusal) {
      case '500':
        return errorOf(500, { type: 'api_error', code: 'internal_error' });
      case '429':
        return errorOf(429, { type: 'api_error', code: 'too_many_requests' }, { 'retry-after': '1' });
      case '503 of a gateway':
        return new Response('<h1>Service unavailable</h1>', { status: 503 });
      case 'no connection':
        throw new TypeError('fetch failed');
      case 'no response':
        return untilAborted(signal);
    }
  };

  return (input, init = {}) =>
    process.port(() => send(String(input), init, init.signal ?? new AbortController().signal));
}

function errorOf(status: number, error: object, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify({ error: { message: 'Simulated failure.', params: [], ...error } });
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } });
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Delivers callbacks from the service to the shop. Loses, doubles and delays callbacks, and loses responses to them. */
export function callbackPort(
  world: World,
  send: (request: RequestParts) => Promise<PlainResponse>,
  onAcknowledged: (reference: string, sentAtMs: number) => void,
): typeof globalThis.fetch {
  const { clock, count, faults } = world;
  const random = world.random.fork('callbacks');

  const deliver = async (url: string, init: RequestInit): Promise<number> => {
    const body = String(init.body);
    const { reference } = (JSON.parse(body) as { data: { reference: string } }).data;
    const sentAtMs = clock.now();
    const { status } = await send({
      method: 'POST',
      url,
      headers: init.headers as Record<string, string>,
      body,
    });
    count(status === 204 ? 'callbacks acknowledged' : 'callbacks refused');
    if (status === 204) onAcknowledged(reference, sentAtMs);
    return status;
  };

  return async (input, init = {}) => {
    const url = String(input);
    count('callbacks sent');
    await clock.wait(random.between(10, 500));
    if (random.chance(faults())) {
      count('callbacks lost');
      throw new TypeError('fetch failed');
    }
    if (random.chance(faults())) {
      count('callbacks doubled');
      // Sometimes later than the tolerance of signatures.
      const again = (): void => void deliver(url, init).catch(() => {});
      clock.after(random.between(0, random.chance(0.8) ? 120_000 : 600_000), again);
    }
    const status = await deliver(url, init);
    if (random.chance(faults())) {
      count('callback responses lost');
      throw new TypeError('fetch failed');
    }
    return new Response(null, { status });
  };
}
