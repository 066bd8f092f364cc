import type { Hostility } from './hostility.ts';

const both = (property: string): string =>
  `for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, ${property});`;

/** Storage that is blocked, missing, full, or written by others. */
export const hostileStorage: readonly Hostility[] = [
  {
    name: 'storage throws',
    before: both(`{ get() { throw new DOMException('Refused.', 'SecurityError'); } }`),
  },
  { name: 'storage is null, as in some apps', before: both('{ value: null }') },
  {
    name: 'storage is full',
    before: `Storage.prototype.setItem = () => { throw new DOMException('Full.', 'QuotaExceededError'); };`,
  },
  {
    name: 'storage is poisoned',
    before: `const entry = { reference: 'a', clientSecret: 'b', server: '/checkout', order: '0', endedAtMs: 1e300, sentAfter: -1 };
      for (const storage of [localStorage, sessionStorage]) for (const key of ['', '-open', '-language'])
        storage.setItem('transfer-checkout' + key, JSON.stringify([entry, null, 5, { __proto__: entry }]) + ' '.repeat(1e5));`,
  },
  {
    name: 'storage returns what is not a text',
    before: 'Storage.prototype.getItem = () => ({ length: 1 });',
  },
];
