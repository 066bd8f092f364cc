import { describe, expect, it } from 'vitest';
import type { PaymentsError } from '../../../server-kit/core/errors.ts';
import { listPayouts, listTaxRates } from '../../../server-kit/service/index.ts';
import type { PayoutListQuery } from '../../../server-kit/service/payout.ts';
import { clientOf, failureOf } from '../kit/client-kit.ts';

const recordsOf = (...ids: string[]) => ids.map((id) => ({ id }));
type PageBody = { hasMore: boolean; cursor?: string | null; data: { id: string }[] };

/** The client of a service that returns a page for each cursor; `first` is the page without a cursor. */
function listClient(pages: Record<string, PageBody>) {
  const cursorOf = (url: string): string => new URL(url).searchParams.get('cursor') ?? 'first';
  const { client, sent } = clientOf((url) => Response.json(pages[cursorOf(url)] ?? {}));
  return { client, sent, cursors: () => sent.map(cursorOf) };
}

const threePages = {
  first: { hasMore: true, cursor: 'p2', data: recordsOf('1', '2') },
  p2: { hasMore: true, cursor: 'p3', data: recordsOf('3') },
  p3: { hasMore: false, cursor: 'p4', data: recordsOf('4', '5') },
};

async function idsOf(list: AsyncIterable<{ id: string }>, ids: string[] = []): Promise<string> {
  for await (const { id } of list) ids.push(id);
  return ids.join('');
}

/** What a loop yields until it fails, if it does, and the parameters at fault. */
async function walk(list: AsyncIterable<{ id: string }>) {
  const ids: string[] = [];
  const failure = await idsOf(list, ids).catch((error: PaymentsError) => error);
  if (typeof failure === 'string') return [failure];
  const { code, operation, params } = failure;
  return [ids.join(''), code, operation, params];
}

describe('awaiting a list', () => {
  it('resolves with the first page, and requests no other', async () => {
    const { client, sent } = listClient(threePages);
    const page = await listPayouts(client, { limit: 2 });
    expect(page).toEqual({ ...threePages.first, invalid: [] });
    expect(sent).toEqual(['https://service.example/v1/payouts?limit=2']);
  });

  it('keeps unknown fields of the page, but for one with the name of ours', async () => {
    const { client } = clientOf(() => Response.json({ ...threePages.p3, total: 5, invalid: 'all' }));
    expect(await listPayouts(client)).toEqual({ ...threePages.p3, total: 5, invalid: [] });
  });

  it.each([null, '', 7, undefined])('treats the cursor %j as missing', async (cursor) => {
    const { client } = clientOf(() => Response.json({ ...threePages.p3, cursor }));
    expect((await listPayouts(client)).cursor).toBeUndefined();
  });

  it.each([
    ['hasMore', { data: [] }],
    ['data', { hasMore: false }],
    ['data', { hasMore: false, data: Array.from({ length: 101 }, () => ({ id: '1' })) }],
  ])('refuses a page whose %s is missing or too long', async (param, body) => {
    const refusal = { code: 'invalid_response', params: [param] };
    const { client } = clientOf(() => Response.json(body));
    expect(await failureOf(listPayouts(client))).toMatchObject(refusal);
  });
});

describe('iterating over a list', () => {
  it('requests a page only when the loop gets there', async () => {
    const { client, cursors } = listClient(threePages);
    for await (const { id } of listTaxRates(client)) if (id === '2') break;
    expect(cursors()).toEqual(['first']);
  });

  it('yields every record to each of several loops', async () => {
    const { client, cursors } = listClient(threePages);
    const list = listPayouts(client);
    const [page, ...walked] = await Promise.all([list, idsOf(list), idsOf(list)]);
    expect(page.data).toHaveLength(2);
    expect(walked).toEqual(['12345', '12345']);
    // The first page is shared; each loop requests each other page once.
    expect(cursors().sort()).toEqual(['first', 'p2', 'p2', 'p3', 'p3']);
  });

  it('loses and repeats nothing if the consumer reads ahead', async () => {
    const { client, cursors } = listClient(threePages);
    const iterator = listPayouts(client)[Symbol.asyncIterator]();
    const read = await Promise.all(Array.from({ length: 6 }, () => iterator.next()));
    expect(read.map(({ value }) => value?.id)).toEqual(['1', '2', '3', '4', '5', undefined]);
    expect(cursors()).toEqual(['first', 'p2', 'p3']);
  });

  const toP2 = { ...threePages.p2, cursor: 'p2' };
  const incomplete = ['invalid_response', 'payouts.list', ['cursor']];
  it.each([
    ['begins at the given cursor', threePages, { cursor: 'p2' }, ['345']],
    ['continues after an empty page', { ...threePages, p2: { ...threePages.p2, data: [] } }, {}, ['1245']],
    [
      'fails after a page without a cursor',
      { first: { ...threePages.first, cursor: null } },
      {},
      ['12', ...incomplete],
    ],
    [
      'fails after a cursor that is a number',
      { first: { ...threePages.first, cursor: 7 as never } },
      {},
      ['12', ...incomplete],
    ],
    ['fails after a page that has its own cursor', { ...threePages, p2: toP2 }, {}, ['123', ...incomplete]],
    [
      'fails after a page that has that of an earlier one',
      { ...threePages, p3: toP2 },
      {},
      ['1233', ...incomplete],
    ],
    [
      'fails after a page that starts over',
      { ...threePages, p3: { ...toP2, data: recordsOf('4', '5') } },
      { cursor: 'p2' },
      ['345', ...incomplete],
    ],
  ])('%s', async (_name, pages, query, walked) => {
    expect(await walk(listPayouts(listClient(pages).client, query))).toEqual(walked);
  });

  it('requests each page with the first query and options, even if they are changed', async () => {
    const { client, sent } = listClient(threePages);
    const query = { limit: 2, status: ['sent' as const], createdAt: { gt: 5 } };
    const options = { maxRetries: 0 };
    const list = listPayouts(client, query, options);
    Object.assign(query, { limit: 99 });
    query.status.push('failed' as never);
    query.createdAt.gt = 6;
    options.maxRetries = -1;
    expect(await idsOf(list)).toBe('12345');
    const asked = sent.map((url) => url.replace(/&cursor=p\d|cursor=p\d&/, ''));
    expect(new Set(asked).size).toBe(1);
    expect(asked[0]).toMatch(/\?limit=2&status=sent&createdAt.gt=5$/);
  });

  it('throws the failure of a later page after the records before it', async () => {
    const error = { type: 'invalid_request_error', code: 'cursor_unknown', message: 'no', params: [] };
    const unknown = Response.json({ error }, { status: 404 });
    const { client } = clientOf((url) =>
      url.includes('cursor') ? unknown : Response.json(threePages.first),
    );
    expect(await walk(listPayouts(client))).toEqual(['12', 'not_found', 'payouts.list', []]);
  });
});

describe('an aborted list', () => {
  const aborted = { code: 'aborted', operation: 'payouts.list' };

  it.each(['1', '2', '3'])('yields no record after the abort, at record %s', async (last) => {
    const { client, cursors } = listClient(threePages);
    const controller = new AbortController();
    const ids: string[] = [];
    const loop = async () => {
      for await (const { id } of listPayouts(client, {}, { signal: controller.signal })) {
        ids.push(id);
        if (id === last) controller.abort();
      }
    };
    expect(await failureOf(loop())).toMatchObject(aborted);
    expect(ids.at(-1)).toBe(last);
    expect(cursors().at(-1)).toBe(last === '3' ? 'p2' : 'first');
  });

  it('does not wait for a page in flight', async () => {
    const controller = new AbortController();
    const { client } = clientOf((url) => {
      if (!url.includes('cursor')) return Response.json(threePages.first);
      controller.abort();
      return new Promise(() => {});
    });
    const walked = idsOf(listPayouts(client, {}, { signal: controller.signal }));
    expect(await failureOf(walked)).toMatchObject(aborted);
  });
});

describe('a list that fails', () => {
  async function unhandledIn(use: () => Promise<unknown>): Promise<unknown[]> {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    await use();
    // Node reports them after the microtasks of their turn.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    return unhandled;
  }
  const failing = () => listPayouts(clientOf(() => new Response('{}', { status: 400 })).client);

  it.each([
    ['awaited only', () => failureOf(failing())],
    ['walked over only', () => failureOf(idsOf(failing()))],
    ['not looked at', async () => void failing()],
    ['walked over, but not begun', async () => void failing()[Symbol.asyncIterator]()],
  ])('leaves no unhandled rejection where it is %s', async (_name, use) => {
    expect(await unhandledIn(use)).toEqual([]);
  });

  it('fails both when awaited and when iterated, twice', async () => {
    const list = failing();
    const failures = await Promise.all([failureOf(list), failureOf(idsOf(list)), failureOf(idsOf(list))]);
    for (const failure of failures) expect(failure).toMatchObject({ code: 'invalid_request', status: 400 });
  });
});

it.each([
  ['limit', { limit: 101 }],
  ['cursor', { cursor: '' }],
  ['status', { status: [] }],
  ['createdAt.gt', { createdAt: { gt: 1.5 } }],
  ['createdAt.lt', { createdAt: { lt: '1763600000' } }],
  ['createdAt.after', { createdAt: { after: 1 } }],
  ['createdAt', { createdAt: new Date(0) }],
  ['createdAt', { createdAt: { gte: undefined } }],
  ['query', new URLSearchParams({ limit: '1' })],
  ['query', [{ limit: 1 }]],
  ['query', 'limit=1'],
  ['page', { page: 2 }],
  ['taxType', { taxType: 'vat' }],
])('the filters of a list refuse a wrong %s: %j', async (param, query) => {
  const { client, sent } = listClient(threePages);
  const list = listPayouts(client, query as PayoutListQuery);
  expect(await failureOf(list)).toMatchObject({ code: 'invalid_request', params: [param] });
  expect(sent).toEqual([]);
});

it('a record that cannot be read loses no other record, and is in `invalid` of its page', async () => {
  const { client } = listClient({
    first: { hasMore: true, cursor: 'p2', data: [{ id: '1' }, {}, { id: '2' }] },
    p2: { hasMore: false, data: [null, { id: '3' }, 'text', { id: '4', amount: 0.5 }] },
  } as never);
  expect(await idsOf(listPayouts(client))).toBe('123');
  const { invalid } = await listPayouts(client);
  const refusal = { code: 'invalid_response', operation: 'payouts.list', params: ['data.1.id'] };
  expect(invalid).toMatchObject([refusal]);
  const second = await listPayouts(client, { cursor: 'p2' });
  expect(second.invalid.map(({ params }) => params)).toEqual([[], [], ['data.3.amount']]);
  expect(String(second.invalid[0])).toContain('record 0');
  expect(String(second.invalid[2])).toContain('dialect.amountUnit');
});
