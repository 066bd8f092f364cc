import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import type { PaymentsErrorCode } from '../../../server-kit/core/errors.ts';
import type { Attack, Call } from './hostile-server.ts';

const json = { 'content-type': 'application/json' };
const says =
  (status: number, body: string | Uint8Array, headers: Record<string, string> = json): Attack =>
  ({ response }) =>
    response.writeHead(status, headers).end(body);

/** The honest response with its text changed, without the headers about the text. */
export const rewriting =
  (change: (text: string) => string | Uint8Array): Attack =>
  async ({ honest, response }) => {
    const { status, headers, body } = await honest();
    const { 'content-length': _, ...others } = headers;
    response.writeHead(status, others).end(change(body));
  };

/** Writes as fast as the client reads, until it goes. */
async function flood({ response, gone }: Call, piece: string | Uint8Array): Promise<void> {
  let isOpen = true;
  gone.then(() => {
    isOpen = false;
  });
  while (isOpen) {
    if (response.write(piece)) continue;
    await Promise.race([once(response, 'drain').catch(() => {}), gone]);
  }
}

const afterTheWork =
  (attack: Attack): Attack =>
  async (call) => {
    await call.honest();
    await attack(call);
  };

const refusal = JSON.stringify({ error: { type: 'api_error', code: 'oops', message: 'no', params: [] } });
const padding = ' '.repeat(1_000_000);
const levels = 200_000;

/** What a service can do to a connection and to JSON, whatever is asked, and what its client may call it. */
export const attacks: Record<string, { attack: Attack; codes: readonly PaymentsErrorCode[] }> = {
  'says nothing': { attack: ({ hold }) => hold(), codes: ['timeout'] },
  'says nothing after its headers': {
    attack: ({ response, hold }) => {
      response.writeHead(200, json).flushHeaders();
      return hold();
    },
    codes: ['timeout'],
  },
  'sends a byte a second': {
    attack: async ({ response, pause }) => {
      response.writeHead(200, json).flushHeaders();
      while (await pause(1000)) response.write(' ');
    },
    codes: ['timeout'],
  },
  'sends without an end': {
    attack: (call) => {
      call.response.writeHead(200, json);
      return flood(call, padding);
    },
    codes: ['invalid_response'],
  },
  'refuses without an end': {
    attack: (call) => {
      call.response.writeHead(503, json);
      return flood(call, padding);
    },
    codes: ['service_error'],
  },
  'says that fifty megabytes come': {
    attack: (call) => {
      call.response.writeHead(200, { ...json, 'content-length': '50000000' });
      return flood(call, padding.slice(0, 1000));
    },
    codes: ['invalid_response'],
  },
  'sends twenty megabytes, zipped': {
    attack: says(200, gzipSync(' '.repeat(20_000_000)), { ...json, 'content-encoding': 'gzip' }),
    codes: ['invalid_response'],
  },
  'says that it is zipped, and is not': {
    attack: says(200, '{}', { ...json, 'content-encoding': 'gzip' }),
    codes: ['connection_lost'],
  },
  'sends headers without an end': {
    attack: ({ response, hold }) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${padding}`);
      return hold();
    },
    // Runtimes differ in how much of a header they take.
    codes: ['connection_lost', 'timeout'],
  },
  'speaks no HTTP': {
    attack: ({ response }) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'),
    codes: ['connection_lost'],
  },
  'breaks off after the work': {
    attack: afterTheWork(({ response }) => response.socket?.destroy()),
    codes: ['connection_lost', 'reference_exists'],
  },
  'breaks off in the body': {
    attack: async ({ honest, response }) => {
      const { status, headers, body } = await honest();
      response.writeHead(status, { ...headers, 'content-length': String(body.length + 9) });
      response.write(body.slice(0, 20), () => response.socket?.destroy());
    },
    codes: ['connection_lost', 'reference_exists'],
  },
  'sends half of its JSON': {
    attack: rewriting((text) => text.slice(0, text.length / 2)),
    codes: ['invalid_response'],
  },
  'sends nothing': { attack: says(200, ''), codes: ['invalid_response'] },
  'says that there is no content': { attack: says(204, '', {}), codes: ['invalid_response'] },
  'sends null': { attack: says(200, 'null'), codes: ['invalid_response'] },
  'sends a list': { attack: says(200, '[]'), codes: ['invalid_response'] },
  'sends a text': { attack: says(200, '"succeeded"'), codes: ['invalid_response'] },
  'sends an empty object': { attack: says(200, '{}'), codes: ['invalid_response'] },
  'sends a page': {
    attack: says(200, '<!doctype html><title>Welcome</title>', { 'content-type': 'text/html' }),
    codes: ['invalid_response'],
  },
  'sends the page of a gateway': {
    attack: says(502, '<h1>Bad gateway</h1>', { 'content-type': 'text/html' }),
    codes: ['service_error'],
  },
  'does not know the path': {
    attack: says(404, '<h1>Not found</h1>', { 'content-type': 'text/html' }),
    codes: ['invalid_response'],
  },
  'leads elsewhere': {
    attack: says(302, '', { location: '/stolen' }),
    codes: ['invalid_response'],
  },
  'leads elsewhere for good': {
    attack: says(308, '', { location: '/stolen' }),
    codes: ['invalid_response'],
  },
  'sends bytes that are no UTF-8': {
    attack: rewriting((text) =>
      Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(',"x":"\xff"}', 'latin1')]),
    ),
    codes: ['invalid_response'],
  },
  'sends a key twice': {
    attack: rewriting((text) => text.replace('{', '{"id":"pay_other","id":"pay_third",')),
    codes: ['invalid_response'],
  },
  'sends NaN': { attack: rewriting((text) => text.replace('{', '{"x":NaN,')), codes: ['invalid_response'] },
  'nests without an end': {
    attack: rewriting((text) => text.replace('{', `{"x":${'['.repeat(20_000)}${']'.repeat(20_000)},`)),
    codes: ['invalid_response'],
  },
  'opens brackets without an end': { attack: says(200, '['.repeat(levels)), codes: ['invalid_response'] },
  'fails after the work': {
    attack: afterTheWork(says(500, refusal)),
    codes: ['service_error', 'reference_exists'],
  },
  'is busy': { attack: says(429, refusal), codes: ['rate_limited'] },
  'is busy for a second': {
    attack: says(429, refusal, { ...json, 'retry-after': '1' }),
    codes: ['rate_limited'],
  },
  'is busy for an hour': {
    attack: says(429, refusal, { ...json, 'retry-after': '3600' }),
    codes: ['rate_limited'],
  },
  'is busy forever': {
    attack: says(429, refusal, { ...json, 'retry-after': '99999999999999999999' }),
    codes: ['rate_limited'],
  },
  'is busy until yesterday': {
    attack: says(503, refusal, { ...json, 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }),
    codes: ['service_error'],
  },
  'takes no key': { attack: says(401, refusal), codes: ['authentication_failed'] },
  'takes no key, and dates another day': {
    attack: says(401, refusal, { ...json, date: 'Tue, 03 Mar 2026 12:00:00 GMT' }),
    codes: ['authentication_failed'],
  },
};
