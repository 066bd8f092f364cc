import { expect, it } from 'vitest';
import {
  createBacklog,
  maxFinishedCallbacks,
} from '../../../../../server-kit/tools/sandbox/callbacks/backlog.ts';
import {
  type CallbackRecord,
  callbackState,
} from '../../../../../server-kit/tools/sandbox/callbacks/callback.ts';
import { createCollection } from '../../../../../server-kit/tools/sandbox/storage/collection.ts';
import { createJournal } from '../../../../../server-kit/tools/sandbox/storage/journal.ts';

const callback = (number: number, planned: CallbackRecord['planned'] = []): CallbackRecord => ({
  id: `cbk_${number}`,
  event: 'payment.failed',
  record: 'payment',
  recordId: `pay_${number}`,
  reference: null,
  url: 'https://shop.example/callbacks',
  body: '{"event":"payment.failed","data":{}}',
  createdAtMs: 0,
  isDropped: false,
  isDoubled: false,
  planned,
  attempts: [],
});
const inOrder = () => false;
const retry = [{ atMs: 60_000, reason: 'retry' }] as const;

it('keeps all pending callbacks and the latest finished ones', () => {
  const kept = createCollection<CallbackRecord>('callbacks', createJournal(undefined));
  const backlog = createBacklog(kept, inOrder);
  backlog.put(callback(1, retry));
  backlog.put(callback(2, retry));
  for (let number = 3; number <= maxFinishedCallbacks + 2; number++) backlog.put(callback(number));
  backlog.put(callback(2));
  const ids = kept.list().map(({ id }) => id);
  expect(ids.slice(-3)).toEqual(['cbk_4', 'cbk_2', 'cbk_1']);
  expect(ids).toHaveLength(maxFinishedCallbacks + 1);
  expect(kept.list().filter((one) => callbackState(one) === 'pending')).toHaveLength(1);
  expect(createBacklog(kept, inOrder).all()).toEqual([callback(1, retry)]);
});

it('finds the next due callback without a scan of the others', () => {
  const kept = createCollection<CallbackRecord>('callbacks', createJournal(undefined));
  let reads = 0;
  const get = (id: string): CallbackRecord | undefined => {
    reads++;
    return kept.get(id);
  };
  const backlog = createBacklog({ ...kept, get }, inOrder);
  for (let number = 1; number <= 10_000; number++) backlog.put(callback(number, retry));
  expect(reads).toBe(10_000);
  backlog.put(callback(0, [{ atMs: 30_000, reason: 'first' }]));
  expect([backlog.nextDueMs(), backlog.takeDue(30_000), backlog.nextDueMs()]).toEqual([
    30_000,
    ['payment pay_0'],
    60_000,
  ]);
  expect(reads).toBe(10_001);
  expect(backlog.takeDue(60_000)).toHaveLength(10_000);
  expect(reads).toBe(10_001);
});
