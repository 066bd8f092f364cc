import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../../server-kit/core/call.ts';
import type { PaymentsClient } from '../../../server-kit/core/client.ts';
import { createDialect } from '../../../server-kit/service/dialect.ts';
import { endpoints, type Operation } from '../../../server-kit/service/endpoints.ts';
import {
  cancelInvoice,
  listDedicatedAccounts,
  listPayouts,
  listTaxRates,
  registerApp,
  requestDedicatedAccount,
  retrieveDedicatedAccount,
  retrievePayout,
  retrieveTaxRate,
  updateApp,
} from '../../../server-kit/service/index.ts';
import { verifyRequest } from '../../../server-kit/service/signatures.ts';
import { business, individual } from '../kit/account-requests.ts';
import {
  apiKey,
  apiSecret,
  appRegistration,
  authToken,
  checkoutLink,
  createTestClient,
  failureOf,
  initiation,
  initiationRequest,
  payment,
} from '../kit/client-kit.ts';
import {
  dropConnection,
  respondError,
  respondJson,
  type SeenRequest,
  serverNow,
  startFaultServer,
} from '../kit/fault-server.ts';

const { paymentMethod: _, ...linkRequest } = initiationRequest;
const record = { id: 'x_1', newField: true };
const page = { hasMore: false, cursor: 'c_2', data: [record] };

type Row = {
  call: (client: PaymentsClient, options?: CallOptions) => PromiseLike<unknown>;
  url: string;
  body?: object;
  response: object;
};

/** One call of each endpoint, and the request that the service must receive. */
const rows: { readonly [Op in Operation]: Row } = {
  'dedicatedAccounts.create': {
    call: (client, options) => requestDedicatedAccount(client, individual, options),
    url: '/v1/dedicated_accounts',
    body: individual,
    response: { status: 'awaiting_customer_consent', accountRequestCode: 'req_1', message: 'Wait' },
  },
  'dedicatedAccounts.list': {
    call: (client, options) =>
      listDedicatedAccounts(client, { limit: 100, status: ['active', 'expired'] }, options),
    url: '/v1/dedicated_accounts?limit=100&status=active&status=expired',
    response: page,
  },
  'dedicatedAccounts.retrieve': {
    call: (client, options) => retrieveDedicatedAccount(client, 'x 1', options),
    url: '/v1/dedicated_accounts/x%201',
    response: record,
  },
  'payments.initiate': {
    call: (client, options) => client.payments.initiate(initiationRequest, options),
    url: '/v1/payments',
    body: initiationRequest,
    response: initiation,
  },
  'checkout.create': {
    call: (client, options) => client.checkout.create(linkRequest, options),
    url: '/v1/payments/checkout',
    body: linkRequest,
    response: checkoutLink,
  },
  'payments.retrieve': {
    call: (client, options) => client.payments.retrieve('pay_1', options),
    url: '/v1/payments/pay_1',
    response: payment,
  },
  'payments.verify': {
    call: (client, options) => client.payments.verify('ord_1', options),
    url: '/v1/payments/ord_1/verify',
    response: payment,
  },
  'invoices.cancel': {
    call: (client, options) => cancelInvoice(client, 'x_1', { cancellationReason: 'Sold out' }, options),
    url: '/v1/invoices/x_1/cancel',
    body: { cancellationReason: 'Sold out' },
    response: { ...record, status: 'cancelled' },
  },
  'payouts.list': {
    call: (client, options) =>
      listPayouts(client, { status: 'sent', createdAt: { gte: 1, lte: 2, gt: 3, lt: 4 } }, options),
    url: '/v1/payouts?status=sent&createdAt.gte=1&createdAt.lte=2&createdAt.gt=3&createdAt.lt=4',
    response: page,
  },
  'payouts.retrieve': {
    call: (client, options) => retrievePayout(client, 'x_1', options),
    url: '/v1/payouts/x_1',
    response: record,
  },
  'taxRates.list': {
    call: (client, options) => listTaxRates(client, { taxType: 'vat', cursor: 'a b&c' }, options),
    url: '/v1/tax_rates?cursor=a+b%26c&taxType=vat',
    response: page,
  },
  'taxRates.retrieve': {
    call: (client, options) => retrieveTaxRate(client, 'x_1', options),
    url: '/v1/tax_rates/x_1',
    response: record,
  },
  'apps.register': {
    call: (client, options) => registerApp(client, appRegistration, options),
    url: '/v1/apps',
    body: appRegistration,
    response: record,
  },
  'apps.update': {
    call: (client, options) => updateApp(client, 'x_1', { bankingType: 'all' }, options),
    url: '/v1/apps/x_1',
    body: { bankingType: 'all' },
    response: record,
  },
};
const calls = Object.entries(rows).map(([name, row]) => ({
  name,
  ...endpoints[name as Operation],
  ...row,
}));
const isApp = ({ auth }: { auth: string }): boolean => auth === 'bearer';

describe.each(calls)('$name', ({ name, method, url, body, response, auth, call }) => {
  it(`is ${method} ${url}`, async () => {
    const server = await startFaultServer([respondJson(200, response)]);
    const { client } = createTestClient(server.url, { apiKey, authToken });
    expect(await call(client)).toMatchObject(response);
    const [seen] = server.seen as [SeenRequest];
    expect(seen).toMatchObject({ method, url });
    expect(seen.body === '' ? undefined : JSON.parse(seen.body)).toEqual(body);
    expect(seen.headers['content-type']).toBe(body && 'application/json');
  });

  it('names itself in its errors', async () => {
    const server = await startFaultServer([respondError(404, 'invalid_request_error', 'not_here')]);
    const { client } = createTestClient(server.url, { authToken });
    expect(await failureOf(call(client))).toMatchObject({ code: 'not_found', operation: name, attempts: 1 });
  });

  it('sends nothing if it is already aborted', async () => {
    const server = await startFaultServer([respondJson(200, response)]);
    const { client } = createTestClient(server.url, { authToken });
    const error = await failureOf(call(client, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: 'aborted', operation: name, attempts: 0 });
    expect(server.seen).toHaveLength(0);
  });

  if (auth === 'bearer') {
    it('uses the auth token, unsigned and without the API key', async () => {
      const server = await startFaultServer([respondJson(200, response)]);
      await call(createTestClient(server.url, { apiKey, authToken }).client);
      const { headers } = server.seen[0] as SeenRequest;
      expect(headers.authorization).toBe(`Bearer ${authToken}`);
      expect(Object.keys(headers).join()).not.toMatch(/signature|timestamp/);
    });

    it('names the missing option if there is no auth token', async () => {
      const { client } = createTestClient('http://127.0.0.1:9', { apiKey });
      const error = await failureOf(call(client));
      expect(error).toMatchObject({ code: 'invalid_options', operation: name, attempts: 0 });
      expect(error.message).toContain('authToken');
    });
  } else {
    it('is signed over its path without the query, with the first secret', async () => {
      const server = await startFaultServer([respondJson(200, response)]);
      const { client } = createTestClient(server.url, {
        apiSecret: [apiSecret, 'sk_test_old'],
        apiKey,
        authToken,
      });
      await call(client);
      const { headers, body: bodyText } = server.seen[0] as SeenRequest;
      expect(headers.authorization).toBe(`Bearer ${apiKey}`);
      await verifyRequest({
        path: url.replace(/\?.*/, ''),
        bodyText: bodyText === '' ? undefined : bodyText,
        signature: headers['request-signature'] as string,
        timestamp: headers['request-timestamp'] as string,
        secrets: [apiSecret],
        now: serverNow,
      });
    });
  }
});

describe('a call after a transient failure', () => {
  const sentOnce = ['dedicatedAccounts.create', 'invoices.cancel', 'apps.register'];

  it.each(calls)('is retried only if it is idempotent: $name', async ({ name, call }) => {
    const server = await startFaultServer([dropConnection]);
    const { client } = createTestClient(server.url, { authToken });
    await failureOf(call(client, { maxRetries: 1 }));
    expect(server.seen).toHaveLength(sentOnce.includes(name) ? 1 : 2);
  });

  it('is not retried for a business account either, whatever its further fields are called', async () => {
    const server = await startFaultServer([respondError(503, 'api_error', 'oops')]);
    const { client } = createTestClient(server.url);
    await failureOf(requestDedicatedAccount(client, { ...business, reference: 'r' }));
    expect(server.seen).toHaveLength(1);
  });

  it.each(calls.filter(isApp))('is not retried because of a wrong clock: $name', async ({ call }) => {
    const date = new Date(serverNow + 3_600_000).toUTCString();
    const server = await startFaultServer([respondError(401, 'authentication_error', 'no', { date })]);
    const { client } = createTestClient(server.url, { authToken });
    expect(await failureOf(call(client))).toMatchObject({ code: 'authentication_failed', attempts: 1 });
    expect(client.serviceNow()).toBe(serverNow);
  });
});

describe('a conflict', () => {
  it.each([
    ['payments.initiate', 'reference_exists'],
    ['checkout.create', 'reference_exists'],
    ['invoices.cancel', 'conflict'],
    ['dedicatedAccounts.create', 'conflict'],
  ] as const)('has its own code: for %s it is %s', async (name, code) => {
    const server = await startFaultServer([respondError(409, 'invalid_request_error', 'conflict')]);
    expect(await failureOf(rows[name].call(createTestClient(server.url).client))).toMatchObject({ code });
  });
});

it('cancels an invoice without a reason, with an empty object', async () => {
  const server = await startFaultServer([respondJson(200, record)]);
  await cancelInvoice(createTestClient(server.url).client, 'x_1');
  expect(server.seen[0]?.body).toBe('{}');
});

it('names the filters of lists as in the dialect', async () => {
  const listParameters = { limit: 'page_size', cursor: 'after', createdAtGt: 'created[gt]' };
  const server = await startFaultServer([respondJson(200, page)]);
  const { client } = createTestClient(server.url, { dialect: { listParameters } });
  await listPayouts(client, { limit: 1, cursor: 'c', createdAt: { gt: 5 }, status: ['sent'] });
  expect(server.seen[0]?.url).toBe('/v1/payouts?page_size=1&after=c&status=sent&created%5Bgt%5D=5');
});

it('refuses a dialect with the same name for two filters', () => {
  expect(() => createDialect({ listParameters: { limit: 'cursor' } })).toThrow(/listParameters/);
});

describe('the timeout of one call', () => {
  it('replaces the client’s', async () => {
    const waits: number[] = [];
    const { client } = createTestClient('http://service.test', {
      fetch: () => new Promise(() => {}),
      wait: async (ms) => {
        waits.push(ms);
      },
    });
    const error = await failureOf(client.payments.verify('ord_1', { timeoutMs: 1234, maxRetries: 1 }));
    expect(error).toMatchObject({
      code: 'timeout',
      attempts: 2,
      message: expect.stringContaining('1234 ms'),
    });
    expect(waits).toEqual([1234, 125, 1234]);
  });
});
