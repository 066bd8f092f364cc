import type { Fault } from './faulty-network.ts';

const html = (text: string): string => `<!doctype html><title>${text}</title><h1>${text}</h1>`;
const htmlHeaders = ['content-type', 'text/html', 'cache-control', 'no-store'];

/** A response of something between the browser and the shop, which the shop does not see. */
const respond =
  (status: number, body = html(`${status}`), headers = htmlHeaders): Fault =>
  ({ reply }) =>
    reply({ status, headers, body });

/** A refusal of the checkout handler itself. */
const refuse = (status: number, code: string, ...headers: string[]): Fault =>
  respond(status, JSON.stringify({ code }), ['content-type', 'application/problem+json', ...headers]);

/** What can happen to one request. */
export const faults: Readonly<Record<string, Fault>> = {
  'is cut on its way': ({ cut }) => cut(),
  'is cut on its way back': async ({ send, cut }) => {
    await send();
    cut();
  },
  'is cut in the middle of its response': async ({ send, reply }) => reply(await send(), true),
  'is delayed by 30 seconds': async ({ delay, send, reply }) => {
    await delay(30_000);
    reply(await send());
  },
  'arrives, and its response is delayed by 30 seconds': async ({ delay, send, reply }) => {
    const received = await send();
    await delay(30_000);
    reply(received);
  },
  'is doubled': async ({ send, reply }) => {
    const [, second] = await Promise.all([send(), send()]);
    reply(second);
  },
  'gets a stale response from a cache': async ({ first, send, reply }) => reply(first() ?? (await send())),
  'gets the page of a captive portal': respond(200, html('Welcome to the airport')),
  'is sent on to a captive portal': respond(302, '', ['location', 'http://127.0.0.1:1/welcome']),
  'gets an empty response': respond(200, ''),
  'gets 401 from a gateway': respond(401),
  'gets 403 from a gateway': respond(403),
  'gets 404 from a gateway': respond(404),
  'gets 429 from a gateway': respond(429),
  'gets 500 from a gateway': respond(500),
  'gets 504 from a gateway': respond(504),
  'is refused with 401': refuse(401, 'session_unauthorized'),
  'is refused with 429 for five seconds': refuse(429, 'rate_limited', 'retry-after', '5'),
  'is refused with 500': refuse(500, 'internal_error'),
  'is refused with 503 for five seconds': refuse(503, 'service_unavailable', 'retry-after', '5'),
};
