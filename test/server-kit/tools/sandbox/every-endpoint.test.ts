import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../../server-kit/core/client.ts';
import type { Endpoint } from '../../../../server-kit/core/endpoints.ts';
import { fetchToNodeListener } from '../../../../server-kit/node.ts';
import { endpoints, type Operation } from '../../../../server-kit/service/endpoints.ts';
import type { Sandbox, SandboxOptions } from '../../../../server-kit/tools/sandbox/index.ts';
import { type Served, serveUntilClosed } from '../../kit/serve.ts';
import { examples, fixtures } from './endpoint-examples.ts';
import {
  call,
  expectRefusal,
  newSandbox,
  origin,
  type ReadResponse,
  type SignedCall,
  startMs,
} from './sandbox-kit.ts';
import { fieldsOf, missingFields, withValue } from './schema-fields.ts';

let service: Served;
let sandbox: Sandbox;

const begin = (options: SandboxOptions = {}): void => {
  sandbox = newSandbox({ fixtures, ...options });
};

beforeAll(async () => {
  service = await serveUntilClosed(fetchToNodeListener((request) => sandbox.fetch(request)));
});
afterAll(() => service.close());

/** The sandbox, reached through a real connection. */
const connected: Pick<Sandbox, 'fetch' | 'now'> = {
  now: () => startMs,
  fetch: (url, init) => fetch(String(url).replace(origin, service.url), init),
};

const unsigned = { 'request-signature': null, 'request-timestamp': null };
const bearer = (token: string) => ({ headers: { ...unsigned, authorization: `Bearer ${token}` } });

type Ask = (options?: SignedCall & { query?: string; id?: string }) => Promise<ReadResponse>;

/** Calls an endpoint as its example does, but for what the options say. */
const asker =
  (operation: Operation): Ask =>
  ({ query = '', id, ...options } = {}) => {
    const endpoint: Endpoint = endpoints[operation];
    const { path, body } = examples[operation];
    const values = path?.(sandbox) ?? {};
    const filled = endpoint.path.replace(/\{(\w+)\}/g, (_match, name: string) => id ?? values[name] ?? '');
    const credentials = endpoint.auth === 'bearer' ? bearer('auth_test_sandbox') : { headers: {} };
    return call(connected, filled + query, {
      method: endpoint.method,
      body,
      ...options,
      headers: { ...credentials.headers, ...options.headers },
    });
  };

const rows = (Object.keys(endpoints) as Operation[]).map((operation) => {
  const endpoint: Endpoint = endpoints[operation];
  return { operation, endpoint, ask: asker(operation), body: examples[operation].body };
});

type Row = (typeof rows)[number];

const successStatus = ({ operation }: Endpoint): number => (operation === 'apps.register' ? 201 : 200);

it.each(rows)(
  '$operation returns every field of the record to the real client, as the interface defines it',
  async ({ operation, endpoint, body }) => {
    begin();
    let json: unknown;
    const client = createPaymentsClient({
      baseUrl: service.url,
      apiSecret: 'sk_test_sandbox',
      authToken: 'auth_test_sandbox',
      now: () => startMs,
      async fetch(input, init) {
        const response = await fetch(input, init);
        expect(response.status).toBe(successStatus(endpoint));
        json = await response.clone().json();
        return response;
      },
    });
    const path = examples[operation].path?.(sandbox);
    await client.call(
      'query' in endpoint ? { ...endpoint, response: v.looseObject({}), amounts: {} } : endpoint,
      { ...(path && { path }), ...(body !== undefined && { body }) } as object,
    );
    // Response schemas drop values that they cannot parse, so that equality shows that nothing was dropped.
    const record = 'query' in endpoint ? (json as { data: unknown[] }).data[0] : json;
    expect(v.parse(endpoint.response, record)).toEqual(record);
    expect(missingFields(endpoint.response, record)).toEqual([]);
    if ('query' in endpoint) expect(json).toHaveProperty('data.length', 1);
  },
);

/**
 * Tests of what is refused, all on one sandbox. At the end the good request succeeds: nothing was done of
 * what was refused, and the server has survived it.
 */
function describeRefusals(of: (row: Row) => boolean, tests: (row: Row) => void) {
  describe.each(rows.filter(of))('$operation', (row) => {
    beforeAll(() => begin());
    afterAll(async () => expect((await row.ask()).status).toBe(successStatus(row.endpoint)));
    tests(row);
  });
}

const only =
  (...operations: Operation[]) =>
  ({ operation }: Row): boolean =>
    operations.includes(operation);

// Every endpoint uses the checks that the tables further below try on one.

describeRefusals(
  () => true,
  ({ endpoint, ask }) => {
    it('verifies the sender before anything else', async () => {
      const wrong: SignedCall = endpoint.auth === 'signature' ? { secret: 'sk_other' } : bearer('auth_other');
      const code = endpoint.auth === 'signature' ? 'request_signature_invalid' : 'auth_token_invalid';
      expectRefusal(await ask({ ...wrong, query: '?page=2', id: 'none' }), 401, code);
    });

    it('refuses an unknown parameter and names it', async () => {
      expectRefusal(await ask({ query: '?page=2' }), 422, 'validation_failed', ['page']);
    });
  },
);

describeRefusals(
  ({ endpoint }) => endpoint.path.includes('{'),
  ({ ask }) => {
    it('returns 404 for an unknown record', async () => {
      const response = await ask({ id: 'none' });
      expectRefusal(response, 404, expect.stringMatching(/_not_found$/));
      expect(response.body.error.message).toContain('"none"');
    });
  },
);

/** No field takes any of these. An empty list is left out: valibot reads it as an object without fields. */
const wrongValues = [null, true, [{}], 2 ** 53];

const hasBody = ({ endpoint }: Row): boolean => endpoint.request !== undefined;

describeRefusals(hasBody, ({ endpoint, ask, body }) => {
  it('refuses each field of a wrong type and each missing required field, and names it', async () => {
    const fields = endpoint.request === undefined ? [] : fieldsOf(endpoint.request, body);
    expect(fields).not.toEqual([]);
    for (const { path, isRequired } of fields) {
      const values = isRequired ? [...wrongValues, undefined] : wrongValues;
      const bodies = values.map((value) => withValue(body, path, value));
      for (const response of await Promise.all(bodies.map((one) => ask({ body: one })))) {
        expectRefusal(response, 422, 'validation_failed');
        expect(response.body.error.params[0]).toMatch(new RegExp(`^${path.join('.')}(\\.|$)`));
      }
    }
  });

  it('refuses unknown fields and names them', async () => {
    for (const name of ['isNew', 'body', 'constructor', 'toString']) {
      expectRefusal(await ask({ body: { ...body, [name]: true } }), 422, 'validation_failed', [name]);
    }
  });
});

// What is refused, in full, by one endpoint for all of them.

const seconds = (offset: number): string => String(startMs / 1000 + offset);

// The refusals of `verifyRequest` are tested with it; here each has its own code.
describeRefusals(only('payments.initiate'), ({ ask }) => {
  it.each<[string, string, SignedCall]>([
    ['without a signature', 'request_signature_missing', { headers: { 'request-signature': null } }],
    ['with an empty signature', 'request_signature_missing', { headers: { 'request-signature': '' } }],
    ['signed with another secret', 'request_signature_invalid', { secret: 'sk_other' }],
    ['without a timestamp', 'request_timestamp_invalid', { headers: { 'request-timestamp': null } }],
    ['with a timestamp of 9 digits', 'request_timestamp_invalid', { timestamp: '176734620' }],
    ['six minutes old', 'request_timestamp_out_of_tolerance', { timestamp: seconds(-360) }],
    ['with another API key', 'api_key_invalid', { headers: { authorization: 'Bearer pk_other' } }],
  ])('refuses a request %s', async (_name, code, options) => {
    const response = await ask(options);
    expectRefusal(response, 401, code);
    expect(response.body.error.type).toBe('authentication_error');
  });
});

describeRefusals(only('apps.register'), ({ ask }) => {
  it.each<[string, string, SignedCall]>([
    ['without a token', 'auth_token_missing', { headers: { authorization: null } }],
    ['with the API key', 'auth_token_invalid', bearer('pk_test_sandbox')],
    ['with another scheme', 'auth_token_invalid', { headers: { authorization: 'Basic auth_test_sandbox' } }],
  ])('refuses a request %s', async (_name, code, options) => {
    expectRefusal(await ask(options), 401, code);
  });
});

describeRefusals(only('payments.initiate', 'apps.register'), ({ endpoint, ask, body }) => {
  const text = JSON.stringify(body);
  const withMember = (member: string): string => text.replace('{', `{${member},`);
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  /** What is signed is hashed before it is checked; what is not signed is only checked. */
  const isSigned = endpoint.auth === 'signature';
  const [status, code] = isSigned ? [400, 'body_malformed'] : [422, 'validation_failed'];

  it.each<[string, number, string, SignedCall]>([
    ['of 1 MB', 413, 'body_too_large', { sentText: text.padEnd(1_000_000) }],
    ['nested 400,000 levels', 400, 'body_malformed', { sentText: withMember(`"x":${nested(400_000)}`) }],
    [
      'with a key twice',
      400,
      'body_malformed',
      { sentText: withMember(`${JSON.stringify(Object.keys(body ?? {})[0])}:1`) },
    ],
    ['with the key __proto__', 400, 'body_malformed', { sentText: withMember('"__proto__":{"x":1}') }],
    ['with half of a surrogate pair', 400, 'body_malformed', { body: { ...body, x: 'a\ud800' } }],
    [
      'with one in a key, deep in a list',
      400,
      'body_malformed',
      { body: { ...body, x: [[{ '\udc00': 1 }]] } },
    ],
    ['with a byte order mark', 400, 'body_malformed', { sentText: `\uFEFF${text}` }],
    ['that is not UTF-8', 400, 'body_malformed', { sentText: Uint8Array.of(0x22, 0xff, 0x22) }],
    ['with a number past every double', status, code, { sentText: withMember('"x":1e400') }],
    ['cut short', 400, 'body_malformed', { sentText: text.slice(0, -1) }],
    [
      'with another member',
      isSigned ? 401 : 422,
      isSigned ? 'request_signature_invalid' : code,
      { sentText: withMember('"x":1') },
    ],
    ['that is missing', 400, 'body_missing', { body: undefined }],
    ['that is a list', 400, 'body_malformed', { body: [body] }],
    ['that is a form', 400, 'content_type_unsupported', { headers: { 'content-type': 'text/plain' } }],
    ['of no type', 400, 'content_type_unsupported', { headers: { 'content-type': '' } }],
    [
      'of a type that only begins like JSON',
      400,
      'content_type_unsupported',
      { headers: { 'content-type': 'application/json-seq' } },
    ],
  ])('refuses a body %s', async (_name, expectedStatus, expectedCode, options) => {
    expectRefusal(await ask(options), expectedStatus, expectedCode);
  });
});

describeRefusals(only('payouts.list'), ({ ask }) => {
  it.each([
    ...['limit=0', 'limit=101', 'limit=1.5', 'limit=ten', 'limit=', 'limit=-1', 'limit=1&limit=2'],
    ...['cursor=', 'cursor=none', 'cursor=a&cursor=b', 'status=none', 'taxType=none', 'status=', 'taxType='],
    ...['createdAt.gte=0', 'createdAt.lte=-1', 'createdAt.gt=soon', 'createdAt.lt=1e9', 'createdAt.gte='],
    ...['createdAt.lt=99999999999999999999', 'createdAt=1767346200', 'createdAt.gte=1&createdAt.gte=2'],
  ])('refuses %s and names the parameter', async (query) => {
    const [name = ''] = query.split('=');
    expectRefusal(await ask({ query: `?${query}` }), 422, 'validation_failed', [name]);
  });
});
