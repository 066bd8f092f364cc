import fc from 'fast-check';
import type { Session } from '../../src/contract/index.ts';
import { anyText, damagedText } from './arbitraries.ts';

/** What requests are made of. */
export type Facts = {
  session: Session;
  orderId: string;
  operatorKey: string;
  callback: { headers: Record<string, string>; body: string };
  host: string;
};

type Parts = { method: string; target: string; headers: [string, string][]; body: string };

const json: [string, string][] = [['Content-Type', 'application/json']];
const post = (path: string, body: string, headers: [string, string][] = []): Parts => ({
  method: 'POST',
  target: `/checkout${path}`,
  headers: [...json, ...headers],
  body,
});
const get = (path: string, ...headers: [string, string][]): Parts => ({
  method: 'GET',
  target: `/checkout${path}`,
  headers,
  body: '',
});

/** Valid requests of every route. */
const valid = {
  create: ({ orderId }) => post('/sessions', JSON.stringify({ orderId })),
  createAgain: ({ orderId, session }) =>
    post('/sessions', JSON.stringify({ orderId }), [
      ['Checkout-Secret', `${session.reference}.${session.clientSecret}`],
      ['Prefer', 'payment=new'],
    ]),
  link: ({ orderId }) => post('/links', JSON.stringify({ orderId })),
  read: ({ session }) => get(`/sessions/${session.reference}`, ['Checkout-Secret', session.clientSecret]),
  hold: ({ session }) =>
    get(
      `/sessions/${session.reference}`,
      ['Checkout-Secret', session.clientSecret],
      ['If-None-Match', '*'],
      ['Prefer', 'wait=2'],
    ),
  preflight: () => ({
    ...get('/sessions', ['Origin', 'https://shop.example'], ['Access-Control-Request-Method', 'POST']),
    method: 'OPTIONS',
  }),
  callback: ({ callback }) => post('/callbacks', callback.body, Object.entries(callback.headers)),
  reconcile: ({ operatorKey }) => post('/reconcile', '', [['Authorization', `Bearer ${operatorKey}`]]),
  status: ({ operatorKey }) => get('/status', ['Authorization', `Bearer ${operatorKey}`]),
  health: () => get('/health'),
  ready: () => get('/ready'),
} satisfies Record<string, (facts: Facts) => Parts>;

const framings = ['length', 'chunked', 'both', 'tooLong', 'tooShort', 'badChunk'] as const;

/** A request, and what is wrong with it. */
type RawRequest = {
  name: keyof typeof valid;
  method: string | undefined;
  target: string | undefined;
  headers: readonly (readonly [string, string])[];
  /** Replaces a piece of the body, or of the value of a header. */
  edit: { at: number; length: number; text: string } | undefined;
  framing: (typeof framings)[number];
};

const methods = 'GET POST HEAD OPTIONS PUT DELETE TRACE CONNECT get X'.split(' ');
const targets = [
  ...'/ * // /checkout /checkout/sessions/ /checkout/sessions/% /checkout/sessions/%00 /sessions'.split(' '),
  ...'http://evil.example/checkout/health /checkout/../checkout/health /checkout//sessions'.split(' '),
  ...'/checkout/sessions/%2e%2e /checkout/sessions/a?b#c /checkout/sessions/%E0%A4%A'.split(' '),
  `/checkout/sessions/${'a'.repeat(3000)}`,
];
const headerNames = [
  ...'Authorization Checkout-Secret Checkout-Contract Content-Type Content-Length Transfer-Encoding'.split(
    ' ',
  ),
  ...'Host Origin Prefer If-None-Match X-Forwarded-For Expect Connection Upgrade Cookie __proto__'.split(' '),
  ...'Request-Signature Request-Timestamp Access-Control-Request-Method Content-Encoding'.split(' '),
];
const headerValues = [
  ...'* 1 -1 NaN close chunked gzip 100-continue websocket null Bearer a.b~c.d "a" W/* text/plain'.split(' '),
  ...'wait=1 wait=9999999 payment=existing application/json https://evil.example'.split(' '),
  ...['', 'Bearer a.b~c.d'],
];

const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(one, { nil: undefined, freq: 2 });
const headerValue = fc.oneof(
  { arbitrary: fc.constantFrom(...headerValues), weight: 3 },
  anyText.map((text) => text.replace(/[\r\n\0]/g, '')),
);

const anyRequest: fc.Arbitrary<RawRequest> = fc.record({
  name: fc.constantFrom(...(Object.keys(valid) as (keyof typeof valid)[])),
  method: maybe(fc.constantFrom(...methods)),
  target: maybe(fc.oneof(fc.constantFrom(...targets), damagedText(fc.constantFrom(...targets)))),
  headers: fc.array(fc.tuple(fc.constantFrom(...headerNames), headerValue), { maxLength: 3 }),
  edit: maybe(fc.record({ at: fc.nat(), length: fc.nat(6), text: anyText })),
  framing: fc.oneof(
    { arbitrary: fc.constant<(typeof framings)[number]>('length'), weight: 5 },
    fc.constantFrom(...framings),
  ),
});

/** What a client does with one connection. */
export type Connection = {
  port: number;
  requests: readonly RawRequest[];
  /** The client resets the connection after its bytes, and reads no response. */
  isReset: boolean;
  /** Where the bytes end; undefined for all of them. */
  cutAt: number | undefined;
};

export const anyConnection: fc.Arbitrary<Connection> = fc.record({
  port: fc.nat(1),
  requests: fc.array(anyRequest, { minLength: 1, maxLength: 4 }),
  isReset: fc.integer({ min: 0, max: 9 }).map((n) => n === 9),
  cutAt: fc.oneof({ arbitrary: fc.constant(undefined), weight: 9 }, fc.nat(1500)),
});

const byteLength = (text: string): number => Buffer.byteLength(text, 'latin1');
const toLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Returns the bytes of a request, one a character. */
export function write({ name, method, target, headers, edit, framing }: RawRequest, facts: Facts): string {
  const parts: Parts = valid[name](facts);
  const body = toLatin1(edit === undefined ? parts.body : replace(parts.body, edit));
  const [framingHeaders, framed] = frame(body, framing);
  const all = [['Host', facts.host], ...parts.headers, ...headers, ...framingHeaders] as [string, string][];
  const lines = all.map(([header, value]) => toLatin1(`${header}: ${value}\r\n`));
  const start = toLatin1(`${method ?? parts.method} ${target ?? parts.target} HTTP/1.1\r\n`);
  return `${start}${lines.join('')}\r\n${framed}`;
}

const replace = (text: string, edit: { at: number; length: number; text: string }): string => {
  const at = edit.at % (text.length + 1);
  return text.slice(0, at) + edit.text + text.slice(at + edit.length);
};

const chunked: [string, string] = ['Transfer-Encoding', 'chunked'];
const lengthOf = (length: number): [string, string] => ['Content-Length', String(length)];
const chunk = (body: string): string =>
  body === '' ? '0\r\n\r\n' : `${byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;

function frame(body: string, framing: (typeof framings)[number]): [[string, string][], string] {
  const length = byteLength(body);
  switch (framing) {
    case 'length':
      return [length === 0 ? [] : [lengthOf(length)], body];
    case 'chunked':
      return [[chunked], chunk(body)];
    case 'both':
      return [[chunked, lengthOf(length)], chunk(body)];
    case 'tooLong':
      return [[lengthOf(length + 70_000)], body];
    case 'tooShort':
      return [[lengthOf(Math.max(0, length - 3))], body];
    case 'badChunk':
      return [[chunked], `ffffffffff\r\n${body}`];
    default:
      return framing satisfies never;
  }
}
