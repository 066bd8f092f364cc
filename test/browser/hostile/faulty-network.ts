import { request as forward, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveUntilClosed } from '../../server-kit/kit/serve.ts';

export type Received = {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer | string;
};

/** A request on its way through the network. */
export type Exchange = {
  readonly request: IncomingMessage;
  /** Sends the request to the shop, and returns the response. */
  readonly send: () => Promise<Received>;
  /** Passes a response on, or only the first half of its body. */
  readonly reply: (received: Received, isCut?: boolean) => void;
  /** Closes the browser's connection. */
  readonly cut: () => void;
  /** Resolves when the network has been without a fault for this long, by the page's clock. */
  readonly delay: (ms: number) => Promise<void>;
  /** The first response to this method and path. */
  readonly first: () => Received | undefined;
};

export type Fault = (exchange: Exchange) => unknown;
export type Matches = (request: IncomingMessage) => boolean;

export type FaultyNetwork = {
  readonly url: string;
  /** Lets the next matching request fail in this way. */
  readonly failNext: (matches: Matches, fault: Fault) => void;
  /** Returns whether every fault has begun. */
  readonly hasFailed: () => boolean;
  /** Returns whether every fault has happened, and its delay is over. */
  readonly isMended: () => boolean;
  /** The page's clock has advanced. */
  readonly advance: (ms: number) => void;
  /** Resolves when no request is under way, except those that are held or delayed. */
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A network between a browser and a shop, in which single requests fail. */
export async function startFaultyNetwork(target: string): Promise<FaultyNetwork> {
  const faults: { readonly matches: Matches; readonly fault: Fault }[] = [];
  const first = new Map<string, Received>();
  const delays = new Set<{ ms: number; readonly end: () => void }>();
  const busy = new Set<Promise<unknown>>();

  const { url, close } = await serveUntilClosed(async (request, response) => {
    const body = await buffer(request);
    const key = `${request.method} ${request.url}`;
    const send = async (): Promise<Received> => {
      const received = await sendOn(target, request, body, (abort) => response.once('close', abort));
      if (received.status < 300 && !first.has(key)) first.set(key, received);
      return received;
    };
    const reply: Exchange['reply'] = (received, isCut) => {
      response.writeHead(received.status, [...received.headers]);
      if (!isCut) return void response.end(received.body);
      response.write(received.body.slice(0, received.body.length / 2), () => request.socket.destroy());
    };
    const index = faults.findIndex(({ matches }) => matches(request));
    const [found] = index < 0 ? [] : faults.splice(index, 1);
    const { fault = async () => reply(await send()) } = found ?? {};
    const cut = (): void => void request.socket.destroy();
    // A request is under way until it has its response, or is delayed, or is one that the shop holds.
    const underWay = new Promise<void>((rest) => {
      const delay = (ms: number): Promise<void> =>
        new Promise((resolve) => {
          delays.add({ ms, end: resolve });
          rest();
        });
      const exchange = { request, send, reply, cut, delay, first: () => first.get(key) };
      // Sending fails where the browser has closed its connection.
      void Promise.resolve(fault(exchange))
        .catch(cut)
        .then(() => rest());
      if (`${request.headers.prefer}`.startsWith('wait')) rest();
    });
    busy.add(underWay);
    void underWay.then(() => busy.delete(underWay));
  });

  return {
    url,
    close,
    failNext: (matches, fault) => void faults.push({ matches, fault }),
    hasFailed: () => faults.length === 0,
    isMended: () => faults.length === 0 && delays.size === 0,
    advance(ms) {
      for (const one of delays) {
        one.ms -= ms;
        if (one.ms > 0) continue;
        delays.delete(one);
        one.end();
      }
    },
    idle: async () => void (await Promise.allSettled(busy)),
  };
}

function sendOn(
  target: string,
  { method, headers, url = '/' }: IncomingMessage,
  body: Buffer,
  onClose: (abort: () => void) => void,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const onward = forward(target + url, { method, headers }, async (incoming) => {
      try {
        const received = await buffer(incoming);
        resolve({ status: incoming.statusCode ?? 502, headers: incoming.rawHeaders, body: received });
      } catch (error) {
        reject(error);
      }
    });
    onClose(() => onward.destroy());
    onward.once('error', reject);
    onward.end(body);
  });
}
