import type { Bus } from '../../../../server-kit/checkout/ports/bus.ts';
import { createMemoryBus } from '../../../../server-kit/drivers/memory/bus.ts';
import { describeBus } from '../conformance/bus.conformance.ts';

const buses = new Map<string | undefined, Bus>();

// All instances of one process share one object.
describeBus('memory', ({ channel, onError = () => {} }) => {
  const bus = buses.get(channel) ?? createMemoryBus({ onError });
  buses.set(channel, bus);
  return bus;
});
