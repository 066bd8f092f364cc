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
  clientOf,
  createTestClient,
  failureOf,
  initiationRequest,
  leastResponses,
  linkRequest,
  startClient,
} from '../kit/client-kit.ts';
import {
  dropConnection,
  respondError,
  respondJson,
  type SeenRequest,
  serverNow,
} from '../kit/fault-server.ts';

type Row = {
  call: (client: PaymentsClient, options?: CallOptions) => PromiseLike<unknown>;
  url: string;
  body?: object;
};

/** One call of each endpoint, and the request that the service must receive. */
const rows: { readonly [Op in Operation]: Row } = {
  'dedicatedAccounts.create': {
    call: (client, options) => requestDedicatedAccount(client, individual, options),
    url: '/v1/dedicated_accounts',
    body: individual,
  },
  'dedicatedAccounts.list': {
    call: (client, options) =>
      listDedicatedAccounts(client, { limit: 100, status: ['active', 'expired'] }, options),
    url: '/v1/dedicated_accounts?limit=100&status=active&status=expired',
  },
  'dedicatedAccounts.retrieve': {
    call: (client, options) => retrieveDedicatedAccount(client, 'x 1', options),
    url: '/v1/dedicated_accounts/x%201',
  },
  'payments.initiate': {
    call: ({ payments }, options) => payments.initiate(initiationRequest, options),
    url: '/v1/payments',
    body: initiationRequest,
  },
  'checkout.create': {
    call: ({ checkout }, options) => checkout.create(linkRequest, options),
    url: '/v1/payments/checkout',
    body: linkRequest,
  },
  'payments.retrieve': {
    call: ({ payments }, options) => payments.retrieve('pay_1', options),
    url: '/v1/payments/pay_1',
  },
  'payments.verify': {
    call: ({ payments }, options) => payments.verify('ord_1', options),
    url: '/v1/payments/ord_1/verify',
  },
  'invoices.cancel': {
    call: (client, options) => cancelInvoice(client, 'x_1', { cancellationReason: 'Sold out' }, options),
    url: '/v1/invoices/x_1/cancel',
    body: { cancellationReason: 'Sold out' },
  },
  'payouts.list': {
    call: (client, options) =>
      listPayouts(client, { status: 'sent', createdAt: { gte: 1, lte: 2, gt: 3, lt: 4 } }, options),
    url: '/v1/payouts?status=sent&createdAt.gte=1&createdAt.lte=2&createdAt.gt=3&createdAt.lt=4',
  },
  'payouts.retrieve': {
    call: (client, options) => retrievePayout(client, 'x_1', options),
    url: '/v1/payouts/x_1',
  },
  'taxRates.list': {
    call: (client, options) => listTaxRates(client, { taxType: 'vat', cursor: 'a b&c' }, options),
    url: '/v1/tax_rates?cursor=a+b%26c&taxType=vat',
  },
  'taxRates.retrieve': {
    call: (client, options) => retrieveTaxRate(client, 'x_1', options),
    url: '/v1/tax_rates/x_1',
  },
  'apps.register': {
    call: (client, options) => registerApp(client, appRegistration, options),
    url: '/v1/apps',
    body: appRegistration,
  },
  'apps.update': {
    call: (client, options) => updateApp(client, 'x_1', { bankingType: 'all' }, options),
    url: '/v1/apps/x_1',
    body: { bankingType: 'all' },
  },
};
const calls = Object.entries(rows).map(([name, row]) => ({
  name,
  ...endpoints[name as Operation],
  response: leastResponses[name as Operation],
  ...row,
}));

describe.each(calls)('$name', ({ name, method, url, body, response, auth, call }) => {
  const credentials = { apiSecret: [apiSecret, 'sk_test_old'], apiKey, authToken };

  it(`is ${method} ${url}, with the credentials that it needs`, async () => {
    const { client, seen } = await startClient([respondJson(200, response)], credentials);
    expect(await call(client)).toMatchObject(response);
    const [{ headers, ...request }] = seen as [SeenRequest];
    expect(request).toMatchObject({ method, url });
    expect(request.body === '' ? undefined : JSON.parse(request.body)).toEqual(body);
    expect(headers['content-type']).toBe(body && 'application/json');
    if (auth === 'bearer') {
      expect(headers.authorization).toBe(`Bearer ${authToken}`);
      expect(Object.keys(headers).join()).not.toMatch(/signature|timestamp/);
      return;
    }
    expect(headers.authorization).toBe(`Bearer ${apiKey}`);
    // Signed with the first secret, without the query.
    await verifyRequest({
      path: url.replace(/\?.*/, ''),
      bodyText: request.body === '' ? undefined : request.body,
      signature: headers['request-signature'] as string,
      timestamp: headers['request-timestamp'] as string,
      secrets: [apiSecret],
      now: serverNow,
    });
  });

  it('names itself in its errors', async () => {
    const refusal = respondError(404, 'invalid_request_error', 'not_here');
    const { client } = await startClient([refusal], credentials);
    expect(await failureOf(call(client))).toMatchObject({ code: 'not_found', operation: name, attempts: 1 });
  });

  it('sends nothing if it is already aborted', async () => {
    const { client, seen } = await startClient([respondJson(200, response)], credentials);
    const error = await failureOf(call(client, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: 'aborted', operation: name, attempts: 0 });
    expect(seen).toHaveLength(0);
  });

  it('is retried after a transient failure only if it is idempotent', async () => {
    const { client, seen } = await startClient([dropConnection], credentials);
    await failureOf(call(client, { maxRetries: 1 }));
    const sentOnce = ['dedicatedAccounts.create', 'invoices.cancel', 'apps.register'];
    expect(seen).toHaveLength(sentOnce.includes(name) ? 1 : 2);
  });
});

describe.each(calls.filter(({ auth }) => auth === 'bearer'))('$name', ({ name, call }) => {
  it('names the missing option if there is no auth token', async () => {
    const error = await failureOf(call(createTestClient('http://127.0.0.1:9', { apiKey }).client));
    const message = expect.stringContaining('authToken');
    expect(error).toMatchObject({ code: 'invalid_options', operation: name, attempts: 0, message });
  });

  it('is not retried because of a wrong clock', async () => {
    const date = new Date(serverNow + 3_600_000).toUTCString();
    const refusal = respondError(401, 'authentication_error', 'no', { date });
    const { client } = await startClient([refusal], { authToken });
    expect(await failureOf(call(client))).toMatchObject({ code: 'authentication_failed', attempts: 1 });
    expect(client.serviceNow()).toBe(serverNow);
  });
});

it('a request for a business account is not retried, whatever its further fields are called', async () => {
  const { client, seen } = await startClient([respondError(503, 'api_error', 'oops')]);
  await failureOf(requestDedicatedAccount(client, { ...business, reference: 'r' }));
  expect(seen).toHaveLength(1);
});

it('cancels an invoice without a reason, with an empty object', async () => {
  const { client, seen } = await startClient([respondJson(200, leastResponses['invoices.cancel'])]);
  await cancelInvoice(client, 'x_1');
  expect(seen[0]?.body).toBe('{}');
});

it('names the filters of lists as in the dialect', async () => {
  const listParameters = { limit: 'page_size', cursor: 'after', createdAtGt: 'created[gt]' };
  const { client, sent } = clientOf(() => Response.json({}), { dialect: { listParameters } });
  await failureOf(listPayouts(client, { limit: 1, cursor: 'c', createdAt: { gt: 5 }, status: ['sent'] }));
  expect(sent[0]).toMatch(/\/v1\/payouts\?page_size=1&after=c&status=sent&created%5Bgt%5D=5$/);
});

it('refuses a dialect with the same name for two filters', () => {
  expect(() => createDialect({ listParameters: { limit: 'cursor' } })).toThrow(/listParameters/);
});

it('replaces the timeout of the client by that of the call', async () => {
  // A wait that is not the client's timeout ends at once.
  const { payments, pauses } = clientOf(() => new Promise(() => {}));
  const error = await failureOf(payments.verify('ord_1', { timeoutMs: 1234, maxRetries: 1 }));
  const message = expect.stringContaining('1234 ms');
  expect(error).toMatchObject({ code: 'timeout', attempts: 2, message });
  expect(pauses).toEqual([1234, 125, 1234]);
});
