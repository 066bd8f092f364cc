import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { DialectChoices } from '../../../../../server-kit/client/api/dialect.ts';
import { endpoints } from '../../../../../server-kit/client/api/endpoints.ts';
import type { SandboxOptions } from '../../../../../server-kit/tools/sandbox/index.ts';
import { call, controlCall, initiate, newSandbox, origin, read } from '../sandbox-kit.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any of its fields
type Document = any;

const documentOf = async (options: SandboxOptions = {}): Promise<Document> =>
  (await read(await newSandbox(options).fetch(`${origin}${options.basePath ?? ''}/openapi.json`))).body;

const dialects: readonly DialectChoices[] = [
  {},
  {
    amountUnit: 'major',
    signedPath: 'exact',
    bodyHashWithoutBody: 'emptyObject',
    callbackEvent: '{status}:{record}',
    listParameters: { limit: 'pageSize', createdAtGte: 'created[gte]' },
  },
];

describe('GET /openapi.json', () => {
  it.each(dialects)('is a valid OpenAPI 3.1 document: %j', async (dialect) => {
    const result = await new Validator().validate(await documentOf({ dialect }));
    expect(result).toEqual({ valid: true });
  });

  it('is at the base path, needs no signature, and is not readable by other sites', async () => {
    const sandbox = newSandbox({ basePath: '/service', publicUrl: 'https://sandbox.example' });
    const response = await read(await sandbox.fetch(`${origin}/service/openapi.json`));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.body.servers).toEqual([
      { url: 'https://sandbox.example/service', description: 'This sandbox' },
    ]);
    expect(response.body.info.version).toBe('1.1.0');
    expect((await sandbox.fetch(`${origin}/openapi.json`)).status).toBe(404);
    expect(sandbox.control.listRequests()).toEqual([]);
  });

  it('names the currencies of a payment', async () => {
    const { components, paths } = await documentOf();
    const { schema } = paths['/v1/payments/{id}'].get.responses[200].content['application/json'];
    const payment = components.schemas[schema.$ref.split('/').at(-1)];
    expect(payment.properties.currency.examples).toEqual(['NGN', 'USD']);
  });

  it('requires every body but that of a cancellation', async () => {
    const { paths } = await documentOf();
    const cancel = paths['/v1/invoices/{id}/cancel'].post.requestBody;
    expect([cancel.required, paths['/v1/payments'].post.requestBody.required]).toEqual([false, true]);
  });

  it('responds to HEAD and OPTIONS and refuses POST', async () => {
    const { fetch } = newSandbox();
    const statuses = await Promise.all(
      ['HEAD', 'OPTIONS', 'POST'].map(
        async (method) => (await fetch(`${origin}/openapi.json`, { method })).status,
      ),
    );
    expect(statuses).toEqual([200, 204, 405]);
  });

  it('describes every endpoint: its name, success status, parameters and security', async () => {
    const { paths } = await documentOf();
    const operations = Object.values<Document>(paths).flatMap((path) => Object.values<Document>(path));
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(endpoints).sort());
    for (const [name, row] of Object.entries(endpoints)) {
      const operation = paths[row.path][row.method.toLowerCase()];
      expect(operation.operationId).toBe(name);
      expect(operation.responses[row.successStatus].content['application/json'].schema.$ref).toMatch(/^#/);
      const inPath = operation.parameters.filter((one: Document) => one.in === 'path');
      expect(inPath.map((one: Document) => `{${one.name}}`)).toEqual(row.path.match(/\{\w+\}/g) ?? []);
      const schemes = operation.security.map((one: object) => Object.keys(one).join('+'));
      expect(schemes).toEqual(
        row.auth === 'bearer'
          ? ['AuthToken']
          : ['RequestSignature+RequestTimestamp', 'RequestSignature+RequestTimestamp+ApiKey'],
      );
    }
  });

  it('names the filters of lists as the dialect does', async () => {
    const namesOf = (document: Document, path: string): string[] =>
      document.paths[path].get.parameters.map(({ name }: { name: string }) => name).sort();
    const [plain, renamed] = await Promise.all(dialects.map((dialect) => documentOf({ dialect })));
    const bounds = ['createdAt.gt', 'createdAt.gte', 'createdAt.lt', 'createdAt.lte'];
    expect(namesOf(plain, '/v1/payouts')).toEqual([...bounds, 'cursor', 'limit', 'status']);
    expect(namesOf(plain, '/v1/tax_rates')).toEqual([...bounds, 'cursor', 'limit', 'taxType']);
    expect(namesOf(renamed, '/v1/payouts')).toEqual(expect.arrayContaining(['pageSize', 'created[gte]']));
    const status = plain.paths['/v1/payouts'].get.parameters.find((one: Document) => one.name === 'status');
    expect(status.schema).toMatchObject({ type: 'array', items: { enum: expect.arrayContaining(['sent']) } });
  });

  it('describes the unit of every amount', async () => {
    const [minor, major] = await Promise.all(dialects.map((dialect) => documentOf({ dialect })));
    const { Amount, RequestAmount, Payment, Payout } = minor.components.schemas;
    expect(RequestAmount.properties.value).toMatchObject({ type: 'integer', minimum: 1 });
    for (const field of [
      RequestAmount.properties.value,
      Amount.properties.value,
      Payment.properties.expectedAmount,
    ]) {
      expect(field.description).toMatch(/smallest unit/);
    }
    expect(JSON.stringify(Payout.properties.stampDuty)).toMatch(/smallest unit/);
    const value = major.components.schemas.RequestAmount.properties.value;
    expect(value).toMatchObject({
      type: 'number',
      exclusiveMinimum: 0,
      description: expect.stringMatching(/decimals/),
    });
    expect(value.minimum).toBeUndefined();
  });

  it('lists the values of closed and open fields', async () => {
    const { Payment, AppRegistration } = (await documentOf()).components.schemas;
    expect(AppRegistration.properties.bankingType.enum).toEqual(['personal', 'business', 'all']);
    expect(Payment.properties.status).toMatchObject({
      type: 'string',
      examples: expect.arrayContaining(['awaiting_charge']),
      description: expect.stringMatching(/New values may follow/),
    });
    expect(Payment.properties.status.enum).toBeUndefined();
  });

  it('describes callbacks with the event names of the dialect', async () => {
    const [, renamed] = await Promise.all(dialects.map((dialect) => documentOf({ dialect })));
    expect(Object.keys(renamed.webhooks)).toEqual(['payment', 'payout', 'invoice', 'dedicated_account']);
    const { properties } = renamed.webhooks.payout.post.requestBody.content['application/json'].schema;
    expect(properties.event.examples).toContain('cancelled:payout');
    const account = renamed.webhooks.dedicated_account.post.requestBody.content['application/json'].schema;
    expect(account.properties.event.examples).toContain('refused:dedicated_account');
    expect(account.properties.data.anyOf).toHaveLength(2);
  });
});

describe('the schemas of the document', () => {
  /** Checks a value against what the document says of it. */
  async function createChecker(options: SandboxOptions = {}) {
    const document = await documentOf(options);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    return (pointer: string, value: unknown): unknown[] => {
      const validate = ajv.compile({ $ref: `document#${pointer}` });
      return validate(value) ? [] : (validate.errors ?? []);
    };
  }

  const pointerTo = (path: string, method: string, rest: string): string =>
    `/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method.toLowerCase()}/${rest}/content/application~1json/schema`;

  it.each(['minor', 'major'] as const)(
    'fit their examples and the responses to them: in %s units',
    async (amountUnit) => {
      const dialect = { amountUnit };
      const sandbox = newSandbox({ dialect });
      const errorsOf = await createChecker({ dialect });
      const { paths } = await documentOf({ dialect });
      for (const { path, method, successStatus, auth } of Object.values(endpoints)) {
        const { requestBody } = paths[path][method.toLowerCase()];
        if (requestBody === undefined || path.includes('{')) continue;
        const body = requestBody.content['application/json'].example;
        expect(errorsOf(pointerTo(path, method, 'requestBody'), body), path).toEqual([]);
        const headers = auth === 'bearer' ? { authorization: 'Bearer auth_test_sandbox' } : {};
        const response = await call(sandbox, path, { method, body, headers });
        expect(response.status, JSON.stringify(response.body)).toBe(successStatus);
        expect(errorsOf(pointerTo(path, method, `responses/${successStatus}`), response.body), path).toEqual(
          [],
        );
      }
      const payment = await call(sandbox, '/v1/payments/ord_1001/verify');
      expect(
        errorsOf(pointerTo('/v1/payments/{reference}/verify', 'GET', 'responses/200'), payment.body),
      ).toEqual([]);
    },
  );

  it('refuse what the sandbox refuses', async () => {
    const sandbox = newSandbox();
    const errorsOf = await createChecker();
    const { paths } = await documentOf();
    const good = paths['/v1/payments'].post.requestBody.content['application/json'].example;
    const changes = [
      { reference: '' },
      { amount: { value: 0, currency: 'NGN' } },
      { amount: { value: 1.5, currency: 'NGN' } },
      { amount: { value: 1, currency: 'EUR' } },
      { customer: { email: 'ada', name: 'Ada' } },
      { expiresIn: 0 },
      { paymentMethod: 'card' },
      { metadata: 'x' },
      { unknown: 1 },
    ];
    for (const change of changes) {
      const body = { ...good, ...change };
      expect((await call(sandbox, '/v1/payments', { body })).status, JSON.stringify(change)).toBe(422);
      expect(
        errorsOf(pointerTo('/v1/payments', 'POST', 'requestBody'), body),
        JSON.stringify(change),
      ).not.toEqual([]);
    }
  });

  it('fit the envelope of a refusal', async () => {
    const errorsOf = await createChecker();
    const { body } = await call(newSandbox(), '/v1/payments/none');
    expect(errorsOf('/components/schemas/ErrorEnvelope', body)).toEqual([]);
    expect(errorsOf('/components/schemas/ErrorEnvelope', { error: {} })).not.toEqual([]);
  });

  it('fit records that control calls have changed', async () => {
    const sandbox = newSandbox();
    const errorsOf = await createChecker();
    const { accountNumber, id } = await initiate(sandbox);
    await controlCall(sandbox, '/_sandbox/transfers', { accountNumber, amount: 1_250_000 });
    const { body } = await call(sandbox, `/v1/payments/${id}`);
    expect(body.status).toBe('succeeded');
    expect(errorsOf('/components/schemas/Payment', body)).toEqual([]);
    expect(errorsOf('/components/schemas/Payment', { ...body, createdAt: 'yesterday' })).not.toEqual([]);
  });
});
