import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../kit/serve.ts';
import type { TestClock } from '../kit/test-clock.ts';

/** The response of an honest service. */
export type Honest = { status: number; headers: Record<string, string>; body: string };

/** One request, and what an attack may do with it. */
export type Call = {
  method: string;
  path: string;
  /** Has the honest service do its work. */
  honest: () => Promise<Honest>;
  response: ServerResponse;
  /** Resolves when the client has gone. */
  gone: Promise<void>;
  /** Sends nothing more: resolves when the client has gone. */
  hold: () => Promise<void>;
  /** Waits on the test's clock; false when the client has gone. */
  pause: (ms: number) => Promise<boolean>;
};

/** How the service treats a request. */
export type Attack = (call: Call) => unknown;

export type HonestFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Says what the honest service says. */
export const beHonest: Attack = async ({ honest, response }) => {
  const { status, headers, body } = await honest();
  response.writeHead(status, headers).end(body);
};

export type HostileServer = {
  url: string;
  /** How the next requests are treated. */
  attack: Attack;
  /** The requests so far, as `GET /v1/…`. */
  seen: string[];
  /** How many requests wait for the clock, or for the client to go. */
  waiting: () => number;
};

/** A real HTTP server in front of an honest service, with the test's clock. It closes with the test. */
export async function startHostileServer(
  honestFetch: HonestFetch,
  { now, wait }: Pick<TestClock, 'now' | 'wait'>,
): Promise<HostileServer> {
  let waiting = 0;
  const hostile: HostileServer = { url: '', attack: beHonest, seen: [], waiting: () => waiting };
  const { url } = await serve(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const { method = '', url: path = '' } = request;
    response.setHeader('date', new Date(now()).toUTCString());
    hostile.seen.push(`${method} ${path}`);
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    const until = async (end: Promise<unknown>): Promise<void> => {
      waiting++;
      await end.catch(() => {});
      waiting--;
    };
    await hostile.attack({
      method,
      path,
      response,
      gone: closed,
      honest: () =>
        askHonest(honestFetch, `${hostile.url}${path}`, { method, body, headers: request.headers }),
      hold: () => until(closed),
      async pause(ms) {
        const gone = new AbortController();
        closed.then(() => gone.abort());
        await until(wait(ms, gone.signal));
        return !gone.signal.aborted;
      },
    });
  });
  return Object.assign(hostile, { url });
}

async function askHonest(
  honestFetch: HonestFetch,
  url: string,
  { method, body, headers }: { method: string; body: string; headers: object },
): Promise<Honest> {
  const sent = Object.entries(headers).filter(([name]) => !['host', 'connection'].includes(name));
  const response = await honestFetch(url, {
    method,
    headers: Object.fromEntries(sent) as Record<string, string>,
    ...(body !== '' && { body }),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}
