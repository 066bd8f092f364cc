import { describe, expect, it } from 'vitest';
import { createSandboxTime } from '../../../../../../server-kit/tools/sandbox/pages/panel/sandbox-time.ts';

function timeAt(startMs: number) {
  let nowMs = startMs;
  const time = createSandboxTime(() => nowMs);
  return {
    time,
    pass: (ms: number) => {
      nowMs += ms;
      time.tick();
    },
  };
}

const second = (iso: string): number => Date.parse(iso) / 1000;

describe('the sandbox’s time on this page', () => {
  it('is unknown before the first reading, and then advances', () => {
    const { time, pass } = timeAt(5_000);
    expect(time.nowSeconds.value).toBeUndefined();
    time.set('2026-01-02T12:00:00.000Z');
    pass(61_000);
    expect(time.nowSeconds.value).toBe(second('2026-01-02T12:01:01Z'));
  });

  it('ignores network delays, and follows a moved clock in both directions', () => {
    const { time, pass } = timeAt(0);
    time.set('2026-01-02T12:00:00.900Z');
    pass(1_000);
    time.set('2026-01-02T12:00:01.600Z');
    pass(100);
    expect(time.nowSeconds.value).toBe(second('2026-01-02T12:00:02Z'));
    time.set('2026-01-01T12:00:00.000Z');
    expect(time.nowSeconds.value).toBe(second('2026-01-01T12:00:00Z'));
  });

  it('stops while the clock is frozen', () => {
    const { time, pass } = timeAt(0);
    time.set('2026-01-02T12:00:00.000Z', true);
    pass(60_000);
    expect(time.nowSeconds.value).toBe(second('2026-01-02T12:00:00Z'));
    time.set('2026-01-02T12:00:00.000Z', false);
    pass(2_000);
    expect(time.nowSeconds.value).toBe(second('2026-01-02T12:00:02Z'));
  });
});
