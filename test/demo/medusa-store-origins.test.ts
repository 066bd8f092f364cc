import { expect, it } from 'vitest';
import { checkoutOrigins, storeOrigins } from '../../demo/examples/medusa/src/lib/store-origins.ts';

it.each([
  [undefined, [], []],
  ['', [], []],
  ['http://localhost:8000', ['http://localhost:8000'], ['http://localhost:8000']],
  [
    ' https://a.example , /\\.b\\.example$/,\nhttps://c.example,',
    ['https://a.example', '/\\.b\\.example$/', 'https://c.example'],
    ['https://a.example', 'https://c.example'],
  ],
])('reads STORE_CORS %j, with spaces, regular expressions or nothing', (text, all, exact) => {
  const env = text === undefined ? {} : { STORE_CORS: text };
  expect([storeOrigins(env), checkoutOrigins(env)]).toEqual([all, exact]);
});
