import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../../kit/test-clock.ts';
import {
  call,
  controlCall,
  goodBody,
  initiate,
  memoryStorage,
  newSandbox,
  startMs,
  verify,
} from '../sandbox-kit.ts';

const path = '/_sandbox/clock';

describe('/_sandbox/clock', () => {
  it('returns the time and adds up all advances', async () => {
    const sandbox = newSandbox();
    const first = await controlCall(sandbox, path);
    expect(first.body).toEqual({ now: '2026-01-02T09:30:00.000Z', offsetSeconds: 0, frozen: false });
    await controlCall(sandbox, path, { advanceSeconds: 60 });
    const moved = await controlCall(sandbox, path, { advanceSeconds: 30 });
    expect(moved.body).toEqual({ now: '2026-01-02T09:31:30.000Z', offsetSeconds: 90, frozen: false });
    expect((await controlCall(sandbox, path)).body).toEqual(moved.body);
    expect(moved.headers.get('date')).toBe('Fri, 02 Jan 2026 09:31:30 GMT');
    expect(sandbox.now()).toBe(Date.UTC(2026, 0, 2, 9, 31, 30));
  });

  it('stays frozen when it is moved, and runs on when it is released', () => {
    const machine = createTestClock(startMs);
    const { control } = newSandbox({ now: machine.now });
    control.setClock({ frozen: true });
    machine.advance(60_000);
    const stopped = { now: '2026-01-02T09:30:00.000Z', offsetSeconds: -60, frozen: true };
    expect(control.readClock()).toEqual(stopped);
    control.setClock({ advanceSeconds: 5 });
    machine.advance(60_000);
    expect(control.readClock()).toMatchObject({ now: '2026-01-02T09:30:05.000Z', frozen: true });
    control.setClock({ frozen: false });
    machine.advance(1000);
    const released = { now: '2026-01-02T09:30:06.000Z', offsetSeconds: -115, frozen: false };
    expect(control.readClock()).toEqual(released);
  });

  it.each(['2001-09-09T01:46:40.000Z', '2286-11-20T17:46:39.999Z'])(
    'can be set to %s, where requests can still be signed',
    async (set) => {
      const sandbox = newSandbox();
      sandbox.control.setClock({ set, frozen: true });
      expect((await call(sandbox, '/v1/payments', { body: goodBody })).status).toBe(200);
    },
  );

  it('keeps its offset and its state across a restart', async () => {
    const storage = memoryStorage();
    const machine = createTestClock(startMs);
    const restart = () => newSandbox({ storage, now: machine.now });
    const first = restart();
    first.control.setClock({ advanceSeconds: 90 });
    await first.close();
    machine.advance(1000);
    const second = restart();
    const kept = { now: '2026-01-02T09:31:31.000Z', offsetSeconds: 90, frozen: false };
    expect(second.control.readClock()).toEqual(kept);
    second.control.setClock({ frozen: true });
    await second.close();
    machine.advance(60_000);
    expect(restart().control.readClock()).toMatchObject({ now: '2026-01-02T09:31:31.000Z', frozen: true });
  });
});

it('a clock that is set back neither reopens a payment nor removes money', async () => {
  const sandbox = newSandbox({ confirmationSeconds: 60 });
  const { accountNumber } = await initiate(sandbox);
  await initiate(sandbox, { reference: 'ord_2' });
  sandbox.control.setClock({ advanceSeconds: 600 });
  sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
  sandbox.control.setClock({ advanceSeconds: 600 });
  const before = sandbox.control.listPayments();
  expect(before.map(({ status }) => status)).toEqual(['expired', 'succeeded']);
  sandbox.control.setClock({ set: '2025-01-01T00:00:00Z' });
  expect(sandbox.control.listPayments()).toEqual(before);
  expect(await verify(sandbox)).toMatchObject({
    status: 'succeeded',
    updatedAt: '2026-01-02T09:41:00.000Z',
  });
});
