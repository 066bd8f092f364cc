import * as v from 'valibot';
import { parseWebUrl } from '../../../src/contract/index.ts';
import { createDialect, Dialect, type DialectChoices } from '../../api/dialect.ts';
import { type AcceptedAmountPolicy, acceptedAmountPolicies } from '../../api/payment.ts';
import { type Wait, waitWithTimer } from '../../async/wait.ts';
import { maxSeconds } from '../input/fields.ts';
import type { LoggedRequest } from '../request-log/request-log.ts';
import type { Storage } from '../storage/storage.ts';
import { sandboxCredentials } from './credentials.ts';
import type { Fixtures } from './fixtures.ts';

export type SandboxOptions = {
  /** Accepted in `Authorization: Bearer`. Default: `pk_test_sandbox`. */
  apiKey?: string;
  /** The secret that signs requests and callbacks. Default: `sk_test_sandbox`. */
  apiSecret?: string;
  /** The bearer token of the endpoints for apps. Default: `auth_test_sandbox`. */
  authToken?: string;
  /** Whether unknown fields in requests are ignored instead of refused. Default: `false`. */
  lenient?: boolean;
  /** Stores records across restarts. Default: none. */
  storage?: Storage;
  /**
   * The initial records, with amounts in minor units. They are always validated, but created only while the storage is
   * empty.
   */
  fixtures?: Fixtures;
  /** Called after the response to each request to an endpoint; must not throw. Default: none. */
  onRequest?: (request: LoggedRequest) => void;
  /** Sends the callbacks. Default: the runtime's `fetch`. Pass your own handler to deliver them in this process. */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number;
  /** Waits for faults and callbacks; replace it in tests that must not sleep. Default: a timer. */
  wait?: Wait;
  /** From 0 up to, not including, 1. Default: `Math.random`. */
  random?: () => number;
  /** The prefix of all paths, such as `/service`. It is not signed. Default: none. */
  basePath?: string;
  /** Settings for everything that the interface leaves open. */
  dialect?: DialectChoices;
  /**
   * The http(s) address that shoppers' browsers reach: the `authorizationUrl` of a checkout link begins with it, followed by
   * `basePath`. Default: `http://localhost:4010`.
   */
  publicUrl?: string;
  /** How long a payment stays `charged` before it is `succeeded`. Default: 0, at once. */
  confirmationSeconds?: number;
  /** Which amounts a new payment's account accepts; the bank returns others. Default: `ACCEPTED_AMOUNT_POLICY_FIXED`. */
  acceptedAmountPolicy?: AcceptedAmountPolicy;
  /** How long an account waits for money when the request has no `expiresIn`. Default: 1800. */
  defaultExpiresInSeconds?: number;
  /** The bank of all accounts; `code` has 3 digits. Default: Sandbox Bank, 999. */
  bank?: { name: string; code: string };
  /** The prefix of account names. Default: `Sandbox Merchant`. */
  businessName?: string;
};

/** Validated options, with all defaults. */
export type SandboxSettings = Readonly<
  Required<Omit<SandboxOptions, 'dialect' | 'storage'>> & {
    dialect: Readonly<Dialect>;
    storage: Storage | undefined;
  }
>;

const defaults = {
  ...sandboxCredentials,
  lenient: false,
  fixtures: {},
  onRequest: () => {},
  fetch: (input, init) => globalThis.fetch(input, init),
  now: () => Date.now(),
  wait: waitWithTimer,
  random: () => Math.random(),
  basePath: '',
  dialect: {},
  publicUrl: 'http://localhost:4010',
  confirmationSeconds: 0,
  acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_FIXED',
  defaultExpiresInSeconds: 1800,
  bank: { name: 'Sandbox Bank', code: '999' },
  businessName: 'Sandbox Merchant',
} as const satisfies Required<Omit<SandboxOptions, 'storage'>>;

type Rule = { isMet: (value: unknown) => boolean; description: string };

const text: Rule = {
  isMet: (value) => typeof value === 'string' && value.trim() !== '',
  description: 'a string that is not blank',
};
const aFunction: Rule = { isMet: (value) => typeof value === 'function', description: 'a function' };
const seconds = (least: number): Rule => ({
  isMet: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= maxSeconds,
  description: `a whole number of seconds from ${least} to ${maxSeconds}`,
});

const rules: { [Name in keyof SandboxOptions]-?: Rule } = {
  apiKey: text,
  apiSecret: text,
  authToken: text,
  lenient: { isMet: (value) => typeof value === 'boolean', description: 'true or false' },
  storage: {
    isMet: (value) => isRecord(value) && Array.isArray(value.entries) && typeof value.append === 'function',
    description: 'an object { entries, append }',
  },
  fixtures: {
    isMet: (value) => isRecord(value),
    description: 'an object with lists of records, such as { payments: [] }',
  },
  onRequest: aFunction,
  fetch: aFunction,
  now: aFunction,
  wait: aFunction,
  random: aFunction,
  basePath: {
    isMet: (value) => typeof value === 'string' && /^(\/[\w.~-]+)*\/?$/.test(value),
    description: 'a path such as "/service"',
  },
  dialect: {
    isMet: (value) => v.is(Dialect, value),
    description: `an object with some of ${Object.keys(Dialect.entries).join(', ')}`,
  },
  publicUrl: {
    isMet: isPublicUrl,
    description: 'an absolute http(s) URL without query, such as "http://localhost:4010"',
  },
  confirmationSeconds: seconds(0),
  acceptedAmountPolicy: {
    isMet: (value) => acceptedAmountPolicies.includes(value as AcceptedAmountPolicy),
    description: `one of ${acceptedAmountPolicies.join(', ')}`,
  },
  defaultExpiresInSeconds: seconds(1),
  bank: { isMet: isBank, description: 'an object { name, code } with a code of 3 digits' },
  businessName: text,
};

/** @throws {TypeError} for an unknown or invalid option, with the expected value */
export function readOptions(options: SandboxOptions): SandboxSettings {
  if (!isRecord(options)) throw new TypeError('createSandbox needs an options object, or no argument.');
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof SandboxOptions] : undefined;
    if (rule === undefined) {
      throw new TypeError(`createSandbox has no option "${name}"; it has ${Object.keys(rules).join(', ')}.`);
    }
    if (!rule.isMet(value)) throw new TypeError(`createSandbox: ${name} must be ${rule.description}.`);
  }
  const filled = { ...defaults, ...given } as Required<Omit<SandboxOptions, 'storage'>> & SandboxOptions;
  return {
    ...filled,
    storage: filled.storage,
    bank: { ...filled.bank },
    basePath: filled.basePath.replace(/\/$/, ''),
    publicUrl: filled.publicUrl.replace(/\/+$/, ''),
    dialect: createDialect(filled.dialect),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isPublicUrl(value: unknown): boolean {
  const url = parseWebUrl(value);
  return url !== undefined && url.search === '' && url.hash === '' && url.username === '';
}

function isBank(value: unknown): boolean {
  if (!isRecord(value) || typeof value.code !== 'string') return false;
  return text.isMet(value.name) && /^\d{3}$/.test(value.code);
}
