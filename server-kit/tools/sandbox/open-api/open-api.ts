import type { SandboxSettings } from '../settings/options.ts';
import { describeAmounts } from './amounts.ts';
import { createPaths } from './paths.ts';
import { refusalResponses } from './refusals.ts';
import { createSchemas } from './schemas.ts';
import { createWebhooks } from './webhooks.ts';

const tags: Readonly<Record<string, string>> = {
  payments: 'Payments by bank transfer',
  checkout: 'Links to hosted checkout pages',
  dedicatedAccounts: 'Accounts that belong to one customer',
  invoices: 'Invoices',
  payouts: 'Payouts',
  taxRates: 'Tax rates',
  apps: 'Apps, which need a bearer token and no signature',
  callbacks: 'Requests that the service sends to a callbackUrl',
};

/**
 * Creates the OpenAPI 3.1 document of this sandbox from the table of endpoints, the schemas of requests and responses, and
 * the dialect.
 */
export function createOpenApi({ dialect, publicUrl, basePath }: SandboxSettings): object {
  const schemas = createSchemas();
  describeAmounts(schemas, dialect.amountUnit);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Payment Collection and Payout Service',
      version: '1.1.0',
      description: 'Served by a sandbox: no money moves. Every record has liveMode false.',
    },
    servers: [{ url: publicUrl + basePath, description: 'This sandbox' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: createPaths(dialect),
    webhooks: createWebhooks(dialect),
    components: {
      schemas,
      responses: refusalResponses,
      securitySchemes: createSecuritySchemes(dialect),
    },
  };
}

function createSecuritySchemes({
  signedPath,
  bodyHashWithoutBody,
  timestampToleranceSeconds,
}: SandboxSettings['dialect']): object {
  const path = signedPath === 'lowerCase' ? 'the lower-cased path' : 'the path as sent';
  const withoutBody =
    bodyHashWithoutBody === 'omitted'
      ? 'left out for a request without body'
      : 'of {} for a request without body';
  return {
    RequestSignature: {
      type: 'apiKey',
      in: 'header',
      name: 'Request-Signature',
      description:
        `Hex HMAC-SHA512, with the API secret, of ${path} from /v1 on without query, the body hash, and the timestamp, ` +
        'with nothing between them. The body hash is the hex HMAC-SHA512, with the API secret, of the JSON text of the ' +
        `body with its keys sorted at every depth; it is ${withoutBody}.`,
    },
    RequestTimestamp: {
      type: 'apiKey',
      in: 'header',
      name: 'Request-Timestamp',
      description: `UNIX seconds in ten digits, at most ${timestampToleranceSeconds} s from the service's clock.`,
    },
    ApiKey: { type: 'http', scheme: 'bearer', description: 'The API key. Optional.' },
    AuthToken: { type: 'http', scheme: 'bearer', description: 'The auth token, for apps.' },
  };
}
