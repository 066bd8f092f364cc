import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Bus, BusOptions } from '../../../../server-kit/checkout/ports/bus.ts';
import { uniqueName } from '../../kit/services.ts';

/** An instance of the server that subscribes, and the references it has received. */
export type Instance = { bus: Bus; heard: string[]; gaps: () => number; errors: unknown[] };

/** Adds an instance to a bus; resolves when it is up, and closes it with the test. */
export async function startInstance(
  createBus: (options: BusOptions) => Bus,
  options: BusOptions = {},
): Promise<Instance> {
  const errors: unknown[] = [];
  const heard: string[] = [];
  let gaps = 0;
  const bus = createBus({ onError: (error) => void errors.push(error), random: () => 0, ...options });
  onTestFinished(() => bus.close());
  bus.subscribe(
    (reference) => void heard.push(reference),
    () => void gaps++,
  );
  await expect.poll(bus.state).toBe('up');
  return { bus, heard, gaps: () => gaps, errors };
}

/**
 * Tests what every bus must do. Each kind's test calls this with a function that adds an instance to a bus.
 *
 * @param createBus takes what it needs from the running test, such as a connection that closes with it
 */
export function describeBus(name: string, createBus: (options: BusOptions) => Bus): void {
  describe(`the ${name} bus`, () => {
    const start = (options: BusOptions) => startInstance(createBus, options);

    it('notifies all instances at once, including the publisher', async () => {
      const channel = uniqueName();
      const instances = [await start({ channel }), await start({ channel }), await start({ channel })];
      // Timers are stopped: a bus that waits for anything but the service never notifies.
      vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      await instances[0]?.bus.publish('tc_1');
      for (const { heard } of instances) await expect.poll(() => heard).toEqual(['tc_1']);
    });

    it('keeps the order of one instance’s publications, awaited or not', async () => {
      const channel = uniqueName();
      const { bus, heard } = await start({ channel });
      const references = Array.from({ length: 100 }, (_, index) => `tc_${index}`);
      await Promise.all(references.map((reference) => bus.publish(reference)));
      await expect.poll(() => heard).toEqual(references);
    });

    it('notifies each subscriber once, and none that has unsubscribed', async () => {
      const { bus, heard } = await start({ channel: uniqueName() });
      const calls: number[] = [];
      const unsubscribes = [0, 1, 2, 3].map((index) => bus.subscribe(() => void calls.push(index)));
      unsubscribes[2]?.();
      unsubscribes[2]?.();
      await bus.publish('tc_1');
      await expect.poll(() => heard).toEqual(['tc_1']);
      await expect.poll(() => calls).toEqual([0, 1, 3]);
    });

    it('delivers any text unchanged', async () => {
      const { bus, heard } = await start({ channel: uniqueName() });
      const texts = ["'; DROP TABLE x; --", '"\\\n\t', 'naïve ₦ 💸', 'x'.repeat(2000)];
      for (const text of texts) await bus.publish(text);
      await expect.poll(() => heard).toEqual(texts);
    });

    it('reports a subscriber that throws, and notifies the others', async () => {
      const errors: unknown[] = [];
      const bus = createBus({ channel: uniqueName(), onError: (error) => void errors.push(error) });
      onTestFinished(() => bus.close());
      const heard: string[] = [];
      bus.subscribe(() => {
        throw new Error('a fault of the listener');
      });
      bus.subscribe((reference) => void heard.push(reference));
      await bus.publish('tc_1');
      await expect.poll(() => heard).toEqual(['tc_1']);
      expect(errors).toMatchObject([{ message: 'a fault of the listener' }]);
    });

    it('is down after it is closed, and notifies nobody', async () => {
      const { bus, heard, errors } = await start({ channel: uniqueName() });
      await bus.close();
      await bus.close();
      expect(bus.state()).toBe('down');
      await bus.publish('tc_1');
      expect({ heard, errors }).toEqual({ heard: [], errors: [] });
    });
  });
}
