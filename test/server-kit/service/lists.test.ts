import { describe, expect, it } from 'vitest';
import { listPayouts, listTaxRates } from '../../../server-kit/service/index.ts';
import type { PayoutListQuery } from '../../../server-kit/service/payout.ts';
import { createTestClient, failureOf } from '../kit/client-kit.ts';
import { dropConnection, respondError, respondJson, startFaultServer } from '../kit/fault-server.ts';

const recordsOf = (...ids: string[]) => ids.map((id) => ({ id }));
type PageBody = { hasMore: boolean; cursor?: string | null; data: { id: string }[] };

/** Starts a service that returns a page for each cursor; `first` is the page without a cursor. */
async function startListServer(pages: Record<string, PageBody>) {
  const server = await startFaultServer([
    (request, response) => {
      const cursor = new URL(request.url, 'http://x').searchParams.get('cursor') ?? 'first';
      respondJson(200, pages[cursor] ?? {})(request, response);
    },
  ]);
  return {
    ...server,
    cursors: () => server.seen.map(({ url }) => /cursor=([^&]*)/.exec(url)?.[1] ?? 'first'),
  };
}

const threePages = {
  first: { hasMore: true, cursor: 'p2', data: recordsOf('1', '2') },
  p2: { hasMore: true, cursor: 'p3', data: recordsOf('3') },
  p3: { hasMore: false, cursor: 'p4', data: recordsOf('4', '5') },
};

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids.join('');
}

/** What a failing loop yields, and its failure. */
async function failedWalk(list: AsyncIterable<{ id: string }>) {
  const ids: string[] = [];
  const walk = async () => {
    for await (const { id } of list) ids.push(id);
  };
  const { code, params } = await failureOf(walk());
  return { ids: ids.join(''), code, params };
}

describe('awaiting a list', () => {
  it('resolves with the first page, and requests no other', async () => {
    const server = await startListServer(threePages);
    const page = await listPayouts(createTestClient(server.url).client, { limit: 2 });
    expect(page).toEqual({ hasMore: true, cursor: 'p2', data: recordsOf('1', '2'), invalid: [] });
    expect(server.seen.map(({ url }) => url)).toEqual(['/v1/payouts?limit=2']);
  });

  it('keeps unknown fields of the page', async () => {
    const server = await startFaultServer([respondJson(200, { ...threePages.p3, total: 5 })]);
    expect(await listPayouts(createTestClient(server.url).client)).toMatchObject({ total: 5 });
  });

  it.each([null, '', 7, undefined])('treats the cursor %j as missing', async (cursor) => {
    const server = await startFaultServer([respondJson(200, { ...threePages.p3, cursor })]);
    expect((await listPayouts(createTestClient(server.url).client)).cursor).toBeUndefined();
  });

  it.each([
    ['hasMore', { data: [] }],
    ['data', { hasMore: false }],
    ['data', { hasMore: false, data: Array.from({ length: 101 }, () => ({ id: '1' })) }],
  ])('refuses a page whose %s is missing or too long', async (param, body) => {
    const server = await startFaultServer([respondJson(200, body)]);
    expect(await failureOf(listPayouts(createTestClient(server.url).client))).toMatchObject({
      code: 'invalid_response',
      params: [param],
    });
  });
});

describe('iterating over a list', () => {
  it('yields the records of all pages, with the filters for each page', async () => {
    const server = await startListServer(threePages);
    const { client } = createTestClient(server.url);
    expect(await idsOf(listPayouts(client, { status: 'sent' }))).toBe('12345');
    expect(server.cursors()).toEqual(['first', 'p2', 'p3']);
    for (const { url } of server.seen) expect(url).toContain('status=sent');
  });

  it('requests a page only when the loop gets there', async () => {
    const server = await startListServer(threePages);
    for await (const { id } of listTaxRates(createTestClient(server.url).client)) if (id === '2') break;
    expect(server.cursors()).toEqual(['first']);
  });

  it('begins at the given cursor', async () => {
    const server = await startListServer(threePages);
    expect(await idsOf(listPayouts(createTestClient(server.url).client, { cursor: 'p2' }))).toBe('345');
    expect(server.cursors()).toEqual(['p2', 'p3']);
  });

  it('continues after an empty page', async () => {
    const server = await startListServer({ ...threePages, p2: { hasMore: true, cursor: 'p3', data: [] } });
    expect(await idsOf(listPayouts(createTestClient(server.url).client))).toBe('1245');
  });

  it('yields every record to each of several loops', async () => {
    const server = await startListServer(threePages);
    const list = listPayouts(createTestClient(server.url).client);
    const [page, ...walked] = await Promise.all([list, idsOf(list), idsOf(list)]);
    expect(page.data).toHaveLength(2);
    expect(walked).toEqual(['12345', '12345']);
    // The first page is shared; each loop requests each other page once.
    expect(server.cursors().sort()).toEqual(['first', 'p2', 'p2', 'p3', 'p3']);
  });

  it('loses and repeats nothing if the consumer reads ahead', async () => {
    const server = await startListServer(threePages);
    const walk = listPayouts(createTestClient(server.url).client)[Symbol.asyncIterator]();
    const read = await Promise.all(Array.from({ length: 6 }, () => walk.next()));
    expect(read.map(({ value }) => value?.id)).toEqual(['1', '2', '3', '4', '5', undefined]);
    expect(server.cursors()).toEqual(['first', 'p2', 'p3']);
  });

  it.each([
    ['has no cursor though there is more', { first: { ...threePages.first, cursor: null } }, '12'],
    ['has its own cursor', { ...threePages, p2: { ...threePages.p2, cursor: 'p2' } }, '123'],
    ['is that of an earlier page', { ...threePages, p3: { ...threePages.p2, cursor: 'p2' } }, '1233'],
    ['has a cursor that is a number', { first: { ...threePages.first, cursor: 7 as never } }, '12'],
  ])(
    'fails after the records of a page that %s, because the list is incomplete',
    async (_name, pages, ids) => {
      const server = await startListServer(pages);
      expect(await failedWalk(listPayouts(createTestClient(server.url).client))).toEqual({
        ids,
        code: 'invalid_response',
        params: ['cursor'],
      });
    },
  );

  it('fails instead of starting over', async () => {
    const server = await startListServer({
      ...threePages,
      p3: { ...threePages.p3, hasMore: true, cursor: 'p2' },
    });
    const list = listPayouts(createTestClient(server.url).client, { cursor: 'p2' });
    expect(await failedWalk(list)).toMatchObject({ ids: '345', code: 'invalid_response' });
  });

  it('requests each page with the first query and options, even if they are changed', async () => {
    const server = await startListServer(threePages);
    const query = { limit: 2, status: ['sent' as const], createdAt: { gt: 5 } };
    const options = { maxRetries: 0 };
    const list = listPayouts(createTestClient(server.url).client, query, options);
    Object.assign(query, { limit: 99 });
    query.status.push('failed' as never);
    query.createdAt.gt = 6;
    options.maxRetries = -1;
    expect(await idsOf(list)).toBe('12345');
    const asked = server.seen.map(({ url }) => url.replace(/&cursor=p\d|cursor=p\d&/, ''));
    expect(new Set(asked)).toEqual(new Set(['/v1/payouts?limit=2&status=sent&createdAt.gt=5']));
  });

  it('throws the failure of a later page after the records before it', async () => {
    const server = await startFaultServer([
      respondJson(200, threePages.first),
      respondError(404, 'invalid_request_error', 'cursor_unknown'),
    ]);
    const ids: string[] = [];
    const loop = async () => {
      for await (const { id } of listPayouts(createTestClient(server.url).client)) ids.push(id);
    };
    expect(await failureOf(loop())).toMatchObject({ code: 'not_found', operation: 'payouts.list' });
    expect(ids).toEqual(['1', '2']);
  });

  it('retries a page after a transient failure', async () => {
    const server = await startFaultServer([
      respondJson(200, threePages.first),
      dropConnection,
      respondJson(200, threePages.p3),
    ]);
    expect(await idsOf(listPayouts(createTestClient(server.url).client))).toBe('1245');
  });
});

describe('an aborted list', () => {
  it.each(['1', '2', '3'])('yields no record after the abort, at record %s', async (last) => {
    const server = await startListServer(threePages);
    const controller = new AbortController();
    const ids: string[] = [];
    const loop = async () => {
      const { signal } = controller;
      for await (const { id } of listPayouts(createTestClient(server.url).client, {}, { signal })) {
        ids.push(id);
        if (id === last) controller.abort();
      }
    };
    expect(await failureOf(loop())).toMatchObject({ code: 'aborted', operation: 'payouts.list' });
    expect(ids.at(-1)).toBe(last);
    expect(server.cursors().at(-1)).toBe(last === '3' ? 'p2' : 'first');
  });

  it('does not wait for a page in flight', async () => {
    const controller = new AbortController();
    const server = await startFaultServer([respondJson(200, threePages.first), () => controller.abort()]);
    const { signal } = controller;
    const walk = idsOf(listPayouts(createTestClient(server.url).client, {}, { signal }));
    expect(await failureOf(walk)).toMatchObject({ code: 'aborted', operation: 'payouts.list' });
  });
});

describe('a list that fails', () => {
  /** Returns the unhandled rejections during `use` and shortly after. */
  async function unhandledIn(use: () => Promise<unknown>): Promise<unknown[]> {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => {
      unhandled.push(reason);
    };
    process.on('unhandledRejection', note);
    await use();
    // Node reports them after the microtasks of their turn.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    return unhandled;
  }
  const failing = () =>
    listPayouts(
      createTestClient('http://service.test', {
        fetch: async () => new Response('{}', { status: 400 }),
      }).client,
    );

  it.each([
    ['awaited only', () => failureOf(failing())],
    ['walked over only', () => failureOf(idsOf(failing()))],
    [
      'awaited and iterated',
      async () => {
        const list = failing();
        await Promise.all([failureOf(list), failureOf(idsOf(list)), failureOf(idsOf(list))]);
      },
    ],
    ['not looked at', async () => void failing()],
    ['walked over, but not begun', async () => void failing()[Symbol.asyncIterator]()],
  ])('leaves no unhandled rejection where it is %s', async (_name, use) => {
    expect(await unhandledIn(use)).toEqual([]);
  });

  it('fails both when awaited and when iterated', async () => {
    const list = failing();
    expect(await failureOf(list)).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(await failureOf(idsOf(list))).toMatchObject({ code: 'invalid_request', status: 400 });
  });
});

describe('the filters of a list', () => {
  it.each([
    ['limit', { limit: 0 }],
    ['limit', { limit: 101 }],
    ['limit', { limit: 1.5 }],
    ['limit', { limit: '10' }],
    ['limit', { limit: Number.NaN }],
    ['cursor', { cursor: '' }],
    ['status', { status: 'active' }],
    ['status', { status: [] }],
    ['createdAt.gte', { createdAt: { gte: 0 } }],
    ['createdAt.lte', { createdAt: { lte: -1 } }],
    ['createdAt.gt', { createdAt: { gt: 1.5 } }],
    ['createdAt.lt', { createdAt: { lt: '1763600000' } }],
    ['createdAt.after', { createdAt: { after: 1 } }],
    ['createdAt', { createdAt: 1763600000 }],
    ['createdAt', { createdAt: new Date(0) }],
    ['createdAt', { createdAt: [] }],
    ['createdAt', { createdAt: { gte: undefined } }],
    ['query', new Map([['limit', 1]])],
    ['query', new URLSearchParams({ limit: '1' })],
    ['query', [{ limit: 1 }]],
    ['query', 'limit=1'],
    ['page', { page: 2 }],
    ['taxType', { taxType: 'vat' }],
  ])('refuse a wrong %s: %j', async (param, query) => {
    const server = await startListServer(threePages);
    const list = listPayouts(createTestClient(server.url).client, query as PayoutListQuery);
    expect(await failureOf(list)).toMatchObject({ code: 'invalid_request', params: [param] });
    expect(server.seen).toHaveLength(0);
  });
});

describe('amounts in a list', () => {
  const list = (...amounts: unknown[]) => ({
    hasMore: false,
    data: amounts.map((amount) => ({ id: 'po_1', amount, fee: 0.5 })),
  });

  it('are converted if the service uses major units', async () => {
    const server = await startFaultServer([respondJson(200, list(0.29, 12500))]);
    const { client } = createTestClient(server.url, { dialect: { amountUnit: 'major' } });
    const { data } = await listPayouts(client);
    expect(data.map(({ amount, fee }) => [amount, fee])).toEqual([
      [29, 50],
      [1_250_000, 50],
    ]);
  });

  it('lose only their own record if they cannot be read', async () => {
    const server = await startFaultServer([respondJson(200, list(5, 12.5, '100', null))]);
    const { client } = createTestClient(server.url);
    const { data, invalid } = await listPayouts(client);
    expect(data.map(({ amount, fee }) => [amount, fee])).toEqual([
      [5, undefined],
      [null, undefined],
    ]);
    expect(invalid).toMatchObject([
      { code: 'invalid_response', params: ['data.1.amount'] },
      { code: 'invalid_response', params: ['data.2.amount'] },
    ]);
    for (const { message } of invalid) expect(message).toContain('dialect.amountUnit');
  });
});

describe('a record that cannot be read', () => {
  const pages = {
    first: { hasMore: true, cursor: 'p2', data: [{ id: '1' }, {}, { id: '2' }] },
    p2: { hasMore: false, data: [null, { id: '3' }, 'text', { id: '4', amount: 0.5 }] },
  };

  it('loses no other record, and is in `invalid` of its page', async () => {
    const server = await startListServer(pages as never);
    const { client } = createTestClient(server.url);
    expect(await idsOf(listPayouts(client))).toBe('123');
    const { invalid } = await listPayouts(client);
    expect(invalid).toMatchObject([
      { code: 'invalid_response', operation: 'payouts.list', params: ['data.1.id'] },
    ]);
    const second = await listPayouts(client, { cursor: 'p2' });
    expect(second.invalid.map(({ params }) => params)).toEqual([[], [], ['data.3.amount']]);
    expect(String(second.invalid[0])).toContain('record 0');
  });

  it('is not read from a field of the service', async () => {
    const server = await startFaultServer([
      respondJson(200, { hasMore: false, data: [{ id: '1' }], invalid: 'all' }),
    ]);
    const page = await listPayouts(createTestClient(server.url).client);
    expect(page.invalid).toEqual([]);
    expect(page.data).toEqual([{ id: '1' }]);
  });
});
