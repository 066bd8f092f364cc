import { clientSecret, viewOf } from './views.ts';

/** A stored payment, as the checkout writes it. */
export const valid = { reference: 'order-1001-1', clientSecret, server: '/checkout', order: 'a1' };

/** What another script of the site may write into the checkout's storage, none of it a stored payment. */
export const forgedStorage: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['text that is not JSON', 'nonsense'],
  ['null', 'null'],
  ['a number', '5'],
  ['a text', '"x"'],
  ['an object', JSON.stringify({ o1: valid })],
  ['entries of other types', '[null, 5, "x", [], {}]'],
  ['a number as the reference', JSON.stringify([{ ...valid, reference: 1 }])],
  ['an empty reference', JSON.stringify([{ ...valid, reference: '' }])],
  ['a reference of 200 kB', JSON.stringify([{ ...valid, reference: 'a'.repeat(200_000) }])],
  ['a path as the reference', JSON.stringify([{ ...valid, reference: '../x' }])],
  ['a secret with a line break', JSON.stringify([{ ...valid, clientSecret: 'cs_test\r\nx: y' }])],
  ['a secret with a separator', JSON.stringify([{ ...valid, clientSecret: 'a~b.c' }])],
  ['a secret outside Latin-1', JSON.stringify([{ ...valid, clientSecret: 'cs_ψ' }])],
  ['no secret', JSON.stringify([{ ...valid, clientSecret: null }])],
  ['no server', JSON.stringify([{ ...valid, server: undefined }])],
  ['another server', JSON.stringify([{ ...valid, server: 'https://evil.example' }])],
  ['no order', JSON.stringify([{ ...valid, order: {} }])],
  ['an end far in the future', JSON.stringify([{ ...valid, endedAtMs: 8e15 }])],
  ['an entry that claims to be a prototype', '[{"__proto__":{"reference":"a","clientSecret":"b"}}]'],
];

/** What another script may add to a stored payment: it must not change what is shown. */
export const forgedFields: readonly (readonly [string, object])[] = [
  ['a claim that is a text', { sentAfter: '0' }],
  ['a claim of null', { sentAfter: null }],
  ['a claim for a payment that is not a text', { sentAfter: 0, sentFor: { toString: 1 } }],
  ['a time that is not a whole number', { sentAfter: 5, sentAtMs: 0.5 }],
  ['unknown fields', { payment: viewOf({ outcome: 'paid' }), account: { number: '6666666666' } }],
];
