import { describe, expect, it } from 'vitest';
import { createForecast } from '../../../../server-kit/checkout/telemetry/forecast.ts';
import { shown, shownLink } from '../order/orders.ts';

const loadAfter = (...payments: ReturnType<typeof shown>[]): number => {
  const forecast = createForecast({
    times: { lateWatchSeconds: 7 * 86_400, reversalWatchSeconds: 30 * 86_400 },
    maxVerificationsPerSecond: 300,
    doCallbacksArrive: () => true,
    now: () => 0,
  });
  for (const payment of payments) forecast.noteOpened(payment);
  return forecast.load();
};

describe('the forecast of the load', () => {
  it('is the same for a link that nobody opens as for an account', () => {
    const load = loadAfter(shown());
    expect(load).toBeGreaterThan(0);
    expect(load).toBeLessThan(0.001);
    expect(loadAfter(shownLink())).toBe(load);
    expect(loadAfter(shownLink(), shown())).toBe(2 * load);
  });
});
