import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import * as v from 'valibot';
import { CheckoutError, parseWebUrl } from '../../src/contract/index.ts';

const text = v.pipe(v.string(), v.nonEmpty());
const list = v.pipe(
  v.string(),
  v.trim(),
  v.transform((value) => value.split(/\s*,\s*/).filter(Boolean)),
);
const url = v.pipe(
  text,
  v.check(
    (value) => parseWebUrl(value) !== undefined,
    'must be an http(s) address, such as https://shop.example',
  ),
);
/** Nobody between here and the shop may read orders and outcomes. */
const shopUrl = v.pipe(
  url,
  v.check(
    (value) => value.startsWith('https:') || isPrivate(new URL(value).hostname),
    'must be https, or http to this machine or a private network, such as http://127.0.0.1:8000/checkout/order',
  ),
);
const secrets = v.pipe(
  list,
  v.minLength(1),
  v.everyItem(
    (secret) => /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret),
    'must be whsec_ and at least 24 bytes in base64; make one with: echo whsec_$(openssl rand -base64 32)',
  ),
);

/** The environment of `transfer-checkout serve`. Lists are separated by commas. */
export const Variables = v.object({
  /** The address of the payments service: `https://api.service.example` */
  PAYMENTS_URL: url,
  /** Your key at the service: `pk_live_…` */
  PAYMENTS_API_KEY: text,
  /** The secret of that key: `sk_live_…` */
  PAYMENTS_API_SECRET: text,
  /** The address at which shoppers reach `BASE_PATH`, without it: `https://shop.example` */
  PUBLIC_URL: url,
  /** The path of the checkout: `/checkout`, the default. */
  BASE_PATH: v.optional(text, '/checkout'),
  /** The port to listen on: `4243`, the default. */
  PORT: v.optional(
    v.pipe(text, v.transform(Number), v.integer(), v.minValue(0), v.maxValue(65_535, 'must be a port')),
    '4243',
  ),
  /** The address to listen on: `127.0.0.1`, the default, for a proxy on the same machine; `0.0.0.0` for all. */
  HOST: v.optional(text, '127.0.0.1'),
  /** Where orders are recorded: `file:checkout.db`, the default, or `postgres://user:password@host/database` */
  DATABASE_URL: v.optional(
    v.pipe(text, v.regex(/^(file:.|postgres(ql)?:\/\/.)/, 'must begin with file: or postgres://')),
    'file:checkout.db',
  ),
  /** Signs what a page holds of its payment. The first signs, all verify: `openssl rand -hex 32` makes one. */
  CLIENT_SECRET_KEYS: v.pipe(list, v.minLength(1)),
  /** Your shop's address that says which order a shopper pays: `http://127.0.0.1:8000/checkout/order` */
  ORDER_URL: shopUrl,
  /** Your shop's address that gets the outcomes: `http://127.0.0.1:8000/checkout/webhook` */
  WEBHOOK_URL: shopUrl,
  /** Signs the outcomes, by the Standard Webhooks specification. All sign, so that one can be replaced: `whsec_…`; `echo whsec_$(openssl rand -base64 32)` makes one. */
  WEBHOOK_SECRET: secrets,
  /** Signs the requests to `ORDER_URL` in the same way. Default: `WEBHOOK_SECRET`. */
  ORDER_SECRET: v.optional(secrets),
  /** Opens `{base}/status`, `{base}/orders/{id}` and the other routes for operators to its holder. Default: these do not exist. */
  OPERATOR_KEY: v.optional(text),
  /** The addresses and networks of your reverse proxies: `127.0.0.1, 10.0.0.0/8` */
  TRUSTED_PROXIES: v.optional(list, ''),
  /** Origins of pages that may call the checkout beside that of `PUBLIC_URL`: `https://www.shop.example` */
  ALLOWED_ORIGINS: v.optional(list, ''),
  /** The least important log entries that are written: `info`, `warn` (the default) or `error`. */
  LOG_LEVEL: v.optional(v.picklist(['info', 'warn', 'error'], 'must be info, warn or error'), 'warn'),
});
export type Settings = v.InferOutput<typeof Variables>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the variables with those of a `.env` file, which the environment overrides, and without empty ones. */
export async function readEnvironment(env: Environment, file: string): Promise<Environment> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return Object.fromEntries(
    Object.entries({ ...parseEnv(content), ...env }).filter(([, value]) => value !== ''),
  );
}

/**
 * Reads the settings.
 *
 * @throws {CheckoutError} `invalid_options`, naming each variable that is missing or wrong, without its value
 */
export function readSettings(env: Environment): Settings {
  const parsed = v.safeParse(Variables, env);
  if (parsed.success) return parsed.output;
  const lines = parsed.issues.map((issue) => {
    const name = String(issue.path?.[0]?.key);
    return `${name} ${env[name] === undefined ? 'is missing' : issue.message}`;
  });
  throw new CheckoutError(
    'invalid_options',
    `The configuration is not complete.\n${[...new Set(lines)].join('\n')}`,
  );
}

/** The variables that set each option: the checkout names options in its refusals. */
const variables = {
  baseUrl: 'PAYMENTS_URL',
  apiKey: 'PAYMENTS_API_KEY',
  apiSecret: 'PAYMENTS_API_SECRET',
  publicUrl: 'PUBLIC_URL',
  basePath: 'BASE_PATH',
  clientSecretKeys: 'CLIENT_SECRET_KEYS',
  operatorKey: 'OPERATOR_KEY',
  trustedProxies: 'TRUSTED_PROXIES',
  allowedOrigins: 'ALLOWED_ORIGINS',
} as const;

/** Names the variables in place of the options in an error of `createCheckout` or `createPaymentsClient`. */
export function nameVariables(error: unknown): unknown {
  if (!(error instanceof CheckoutError) || error.code !== 'invalid_options') return error;
  const message = Object.entries(variables).reduce(
    (renamed, [option, name]) => renamed.replaceAll(new RegExp(`\\b${option}\\b`, 'g'), name),
    error.message.replace(/^Invalid options for \w+\./, 'The configuration is wrong.'),
  );
  return new CheckoutError('invalid_options', message, { cause: error });
}

/** Whether a host name is of this machine or a private network. A name without a dot is of the local network, as in Docker. */
const isPrivate = (host: string): boolean =>
  /^(localhost|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|\[::1\]|\[f[cd].*\]|[\w-]+|.*\.(local|internal|localhost))$/.test(
    host,
  );
