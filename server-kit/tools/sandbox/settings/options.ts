import * as v from 'valibot';
import { parseWebUrl } from '../../../../src/contract/index.ts';
import { isPlainObject, oneOf } from '../../../core/fields.ts';
import { aFunction, objectWith, parseOptions } from '../../../core/options.ts';
import { BareKey } from '../../../core/secrets.ts';
import { type Wait, waitWithTimer } from '../../../core/time.ts';
import { sandboxCredentials } from '../../../engine/published-keys.ts';
import { createDialect, ServiceDialect } from '../../../service/dialect.ts';
import { acceptedAmountPolicies } from '../../../service/fields.ts';
import type { LoggedRequest } from '../http/request-log.ts';
import { maxSeconds } from '../input/fields.ts';
import type { Storage } from '../state/storage.ts';
import type { Fixtures } from './fixtures.ts';

const blankText = 'must be a string that is not blank';
const Text = v.pipe(
  v.string(blankText),
  v.check((text) => text.trim() !== '', blankText),
);

const Key = v.pipe(Text, BareKey);

const seconds = (least: number) =>
  v.custom<number>(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= maxSeconds,
    `must be a whole number of seconds from ${least} to ${maxSeconds}`,
  );

const PublicUrl = v.custom<string>((value) => {
  const url = parseWebUrl(value);
  return url !== undefined && url.search === '' && url.hash === '' && url.username === '';
}, 'must be an absolute http(s) URL without query, such as "http://localhost:4010"');

const BasePath = v.custom<string>(
  (value) => typeof value === 'string' && /^(\/[\w.~-]+)*\/?$/.test(value),
  'must be a path such as "/service"',
);

const withoutFinalSlash = v.transform((text: string) => text.replace(/\/+$/, ''));

const fetchOfRuntime: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);

/** The options of `createSandbox`. Strict, because a misspelt option would otherwise go unnoticed. */
const SandboxOptions = v.strictObject(
  {
    /** Accepted in `Authorization: Bearer`. Default: `pk_test_sandbox`. */
    apiKey: v.optional(Key, sandboxCredentials.apiKey),
    /** The secret that signs requests and callbacks. Default: `sk_test_sandbox`. */
    apiSecret: v.optional(Key, sandboxCredentials.apiSecret),
    /** The bearer token of the endpoints for apps. Default: `auth_test_sandbox`. */
    authToken: v.optional(Key, sandboxCredentials.authToken),
    /** Whether unknown fields in requests are ignored instead of refused. Default: `false`. */
    lenient: v.optional(v.boolean('must be true or false'), false),
    /** Stores records across restarts. Default: none. */
    storage: v.optional(objectWith<Storage>('append', 'must be an object { entries, append }')),
    /**
     * The initial records, with amounts in minor units. They are always validated, but created only while the storage is
     * empty.
     */
    fixtures: v.optional(
      v.custom<Fixtures>(isPlainObject, 'must be an object with lists of records, such as { payments: [] }'),
      {},
    ),
    /** Called after the response to each request to an endpoint; must not throw. Default: none. */
    onRequest: v.optional(aFunction<(request: LoggedRequest) => void>(), () => () => {}),
    /** Sends the callbacks. Default: the runtime's `fetch`. Pass your own handler to deliver them in this process. */
    fetch: v.optional(aFunction<typeof globalThis.fetch>(), () => fetchOfRuntime),
    /** Milliseconds since the epoch. Default: `Date.now`. */
    now: v.optional(aFunction<() => number>(), () => () => Date.now()),
    /** Waits for faults and callbacks; replace it in tests that must not sleep. Default: a timer. */
    wait: v.optional(aFunction<Wait>(), () => waitWithTimer),
    /** From 0 up to, not including, 1. Default: `Math.random`. */
    random: v.optional(aFunction<() => number>(), () => () => Math.random()),
    /** The prefix of all paths, such as `/service`. It is not signed. Default: none. */
    basePath: v.optional(v.pipe(BasePath, withoutFinalSlash), ''),
    /** Settings for everything that the interface leaves open. */
    dialect: v.optional(ServiceDialect, {}),
    /**
     * The http(s) address that shoppers' browsers reach: the `authorizationUrl` of a checkout link begins with it, followed by
     * `basePath`. Default: `http://localhost:4010`.
     */
    publicUrl: v.optional(v.pipe(PublicUrl, withoutFinalSlash), 'http://localhost:4010'),
    /** How long a payment stays `charged` before it is `succeeded`. Default: 0, at once. */
    confirmationSeconds: v.optional(seconds(0), 0),
    /** Which amounts a new payment's account accepts; the bank returns others. Default: `ACCEPTED_AMOUNT_POLICY_FIXED`. */
    acceptedAmountPolicy: v.optional(oneOf(acceptedAmountPolicies), 'ACCEPTED_AMOUNT_POLICY_FIXED'),
    /** How long an account waits for money when the request has no `expiresIn`. Default: 1800. */
    defaultExpiresInSeconds: v.optional(seconds(1), 1800),
    /** The bank of all accounts; `code` has 3 digits. Default: Sandbox Bank, 999. */
    bank: v.optional(
      v.object(
        { name: Text, code: v.pipe(v.string('must be a text'), v.regex(/^\d{3}$/, 'must have 3 digits')) },
        'must be an object { name, code }',
      ),
      { name: 'Sandbox Bank', code: '999' },
    ),
    /** The prefix of account names. Default: `Sandbox Merchant`. */
    businessName: v.optional(Text, 'Sandbox Merchant'),
  },
  'must be an object',
);
export interface SandboxOptions extends v.InferInput<typeof SandboxOptions> {}

/** Validated options, with all defaults. */
export type SandboxSettings = Readonly<v.InferOutput<typeof SandboxOptions> & { dialect: ServiceDialect }>;

/** @throws {CheckoutError} `invalid_options`, naming each option that is unknown or invalid, with the expected value */
export function readOptions(options: SandboxOptions): SandboxSettings {
  const settings = parseOptions(SandboxOptions, options, 'createSandbox');
  return { ...settings, dialect: createDialect(settings.dialect) };
}
