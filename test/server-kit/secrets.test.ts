import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { PaymentsClient } from '../../server-kit/core/client.ts';
import { listPayouts, updateApp } from '../../server-kit/service/index.ts';
import { apiKey, apiSecret, authToken, createTestClient, failureOf } from './kit/client-kit.ts';
import { dropConnection, respondJson, startFaultServer } from './kit/fault-server.ts';

const oldSecret = 'sk_test_old';
const secrets = { apiKey, apiSecret: [apiSecret, oldSecret], authToken };
const anySecret = new RegExp([apiKey, apiSecret, oldSecret, authToken, 'request-signature'].join('|'), 'i');

/** A service that says every secret it was sent, and some more. */
const tellTale = (status: number) =>
  respondJson(status, {
    error: {
      type: `${apiSecret}_error`,
      code: `bad_${apiKey}`,
      message: `Bearer ${authToken} and "${apiKey}" do not fit ${apiSecret} or ${oldSecret}; ${apiKey}!`,
      params: [apiKey, 'reference', authToken],
    },
  });

const calls: [string, (client: PaymentsClient) => PromiseLike<unknown>][] = [
  ['of a payment', (client) => client.payments.verify('ord_1')],
  ['of a list', (client) => listPayouts(client)],
  ['of an app', (client) => updateApp(client, 'app_1', { name: 'x' })],
];
const faults = [
  ['a refusal that quotes them', tellTale(401)],
  ['a failure that quotes them', tellTale(500)],
  ['a dropped connection', dropConnection],
  ['a response that quotes them without being JSON', respondJson(200, `<html>${apiKey} ${authToken}`)],
  ['a response that quotes them elsewhere', respondJson(200, { id: [apiKey, apiSecret, authToken] })],
] as const;

describe.each(calls)('the secrets of a call %s', (_name, call) => {
  it.each(faults)('are in no error after %s', async (_fault, response) => {
    const server = await startFaultServer([response]);
    const { client } = createTestClient(server.url, secrets);
    const error = await failureOf(call(client));
    for (const shown of [error, { ...error }]) {
      expect(inspect(shown, { depth: 12, showHidden: true })).not.toMatch(anySecret);
      expect(JSON.stringify(shown)).not.toMatch(anySecret);
    }
    expect(`${error.message} ${error.stack} ${error}`).not.toMatch(anySecret);
  });
});

it('errors contain the service’s message without the secrets', async () => {
  const server = await startFaultServer([tellTale(400)]);
  const { client } = createTestClient(server.url, secrets);
  const params = ['[redacted]', 'reference', '[redacted]'];
  const failure = await failureOf(client.payments.verify('ord_1'));
  expect(failure).toMatchObject({ serviceCode: 'bad_[redacted]', params });
});
