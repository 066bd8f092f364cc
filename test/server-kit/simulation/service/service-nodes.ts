import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';

type Node = {
  /** How far its clock is ahead. */
  offsetMs: number;
  /** For how long it repeats an earlier response about a payment. */
  lagMs: number;
  cache: Map<string, { body: string; atMs: number }>;
};

type Body = { reference?: string; status?: string; chargedAmount?: number; updatedAt?: string };

export const longestLagMs = 3000;

const hourMs = 3_600_000;

const impossibleExpiries = ['1970-01-01T00:00:01.000Z', '2099-01-01T00:00:00.000Z'];

/** How the service may refuse a used reference: its interface does not say. */
const refusals = [
  [409, 'idempotency_error', []],
  [409, 'invalid_request_error', []],
  [400, 'invalid_request_error', ['reference']],
  [422, 'api_error', []],
] as const;

export type ServiceNodes = ReturnType<typeof createServiceNodes>;

/** Creates the nodes of the service behind its load balancer. Their clocks differ, and some lag behind the others. */
export function createServiceNodes({ clock, count, faults, random: worldRandom }: World) {
  const random = worldRandom.fork('nodes');
  const [refusedStatus, type, params] = worldRandom.fork('refusals').pick(refusals);
  const mostMs = random.pick([0, 500, 2000, 5000]);
  const nodes = [0, 1, 2].map((): Node => {
    const offsetMs = Math.round(random.between(-mostMs, mostMs));
    return { offsetMs, lagMs: random.pick([0, 0, 1000, longestLagMs]), cache: new Map() };
  });
  const stamps = random.fork('stamps');

  return {
    /** Returns the response as a random node would send it. */
    async respond(path: string, response: Response): Promise<Response> {
      const node = random.pick(nodes);
      const isOff = random.chance(faults() / 50);
      if (isOff) count('responses dated an hour off');
      const atMs = clock.now() + node.offsetMs + (isOff ? random.pick([-hourMs, hourMs]) : 0);
      const headers = new Headers(response.headers);
      headers.set('date', new Date(atMs).toUTCString());
      const isRefused = response.status === 409;
      const status = isRefused ? refusedStatus : response.status;
      let text = await response.text();
      if (isRefused) text = JSON.stringify({ error: { type, params, code: 'used', message: '' } });
      if (response.ok && path.endsWith('/verify')) text = stamp(stamps, lag(node, path, text));
      if (response.ok && path === '/v1/payments' && random.chance(faults() / 20)) {
        count('accounts with an impossible expiry');
        text = JSON.stringify({
          ...(JSON.parse(text) as object),
          expiresAt: random.pick(impossibleExpiries),
        });
      }
      return new Response(text, { status, headers });
    },
  };

  function lag({ lagMs, cache }: Node, path: string, text: string): string {
    const before = cache.get(path);
    if (before !== undefined && clock.now() - before.atMs < lagMs) return before.body;
    if (lagMs > 0) cache.set(path, { body: text, atMs: clock.now() });
    return text;
  }

  /** Sets `updatedAt` by the clock of the node that made the change, which need not be the node that responds. */
  function stamp(stampsRandom: Random, text: string): string {
    const body = JSON.parse(text) as Body;
    const own = stampsRandom.fork(`${body.reference} ${body.status} ${body.chargedAmount}`);
    const isOff = own.chance(0.01);
    if (isOff) count('changes stamped an hour off');
    const offsetMs = own.pick(nodes).offsetMs + (isOff ? own.pick([-hourMs, hourMs]) : 0);
    const updatedAt = new Date(Date.parse(body.updatedAt ?? '') + offsetMs).toISOString();
    return JSON.stringify({ ...body, updatedAt });
  }
}
