import { describe, expect, it, onTestFinished } from 'vitest';
import type { Bus, BusOptions } from '../../../../server-kit/checkout/ports/bus.ts';
import { watchProcess } from '../../kit/raw-connection.ts';
import { uniqueName } from '../../kit/services.ts';
import { createTcpProxy, type TcpProxy } from '../../kit/tcp-proxy.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { describeBus, type Instance, startInstance } from './bus.conformance.ts';

/** A service that a bus connects to. */
export type BusService = {
  name: string;
  url: string;
  /** Creates a bus whose connections have this name at the service. */
  createBus: (url: string, connectionName: string, options: BusOptions) => Bus;
  /** Makes the service end the connection of the bus with this name. */
  kill: (connectionName: string) => Promise<void>;
};

/** Tests what every bus over an external service must do. */
export function describeConnectedBus({ name, url, createBus, kill }: BusService): void {
  describeBus(name, (options) => createBus(url, '', options));

  /** One instance on a connection that can be cut, and another on a stable one. */
  const startTwo = async (options: BusOptions = {}) => {
    const died = watchProcess();
    const channel = uniqueName();
    const connectionName = uniqueName();
    const proxy = await createTcpProxy(url);
    const cut = await startInstance((more) => createBus(proxy.url, connectionName, more), {
      channel,
      ...options,
    });
    const held = await startInstance((more) => createBus(url, '', more), { channel });
    return { died, proxy, connectionName, cut, held };
  };

  /** The connections needed to publish and to subscribe. */
  const countConnections = async ({ connections }: TcpProxy, { bus, heard }: Instance): Promise<number> => {
    await bus.publish('tc_0');
    await expect.poll(() => heard).toEqual(['tc_0']);
    return connections();
  };

  it(`ends the connection of the ${name} bus when it is closed`, async () => {
    const { proxy, cut } = await startTwo();
    const connections = await countConnections(proxy, cut);
    await cut.bus.close();
    await expect.poll(proxy.connections).toBe(connections - 1);
  });

  describe(`the ${name} bus whose connection is lost`, () => {
    it('reconnects, notifies its subscribers of the gap, and receives again', async () => {
      const { died, connectionName, cut, held } = await startTwo();
      expect(cut.gaps()).toBe(1);
      await kill(connectionName);
      await expect.poll(cut.gaps).toBe(2);
      expect(cut.bus.state()).toBe('up');
      await held.bus.publish('tc_1');
      await expect.poll(() => cut.heard).toEqual(['tc_1']);
      await cut.bus.publish('tc_2');
      await expect.poll(() => held.heard).toEqual(['tc_1', 'tc_2']);
      expect(held.gaps()).toBe(1);
      expect(cut.errors).toMatchObject([
        { message: expect.stringContaining(`The bus over ${name} is down.`) },
      ]);
      expect(died).toEqual([]);
    });

    it('sends what was published during the outage, once and in order', async () => {
      const { died, proxy, cut, held } = await startTwo();
      proxy.refuse();
      await expect.poll(cut.bus.state).toBe('down');
      for (const reference of ['tc_1', 'tc_2', 'tc_1']) await cut.bus.publish(reference);
      proxy.restore();
      await expect.poll(cut.bus.state).toBe('up');
      await cut.bus.publish('tc_3');
      await expect.poll(() => held.heard).toContain('tc_3');
      expect(held.heard).toEqual(['tc_1', 'tc_2', 'tc_3']);
      expect(died).toEqual([]);
    });

    it('stays up while the service responds to its checks', async () => {
      const clock = createTestClock();
      const { cut } = await startTwo({ wait: clock.wait });
      for (const _ of [1, 2, 3]) {
        clock.advance(15_000);
        await clock.untilWaiting(10_000);
        await clock.untilWaiting(15_000);
      }
      expect(cut).toMatchObject({ errors: [] });
      expect(cut.gaps()).toBe(1);
    });

    it('notices a connection that died silently', async () => {
      const clock = createTestClock();
      const { proxy, cut } = await startTwo({ wait: clock.wait });
      const connections = await countConnections(proxy, cut);
      proxy.freeze();
      clock.advance(15_000);
      await clock.untilWaiting(10_000);
      clock.advance(10_000);
      await expect.poll(cut.bus.state).toBe('down');
      expect(cut.errors).toMatchObject([{ cause: { message: 'Timed out after 10000 ms.' } }]);
      await expect.poll(proxy.connections).toBe(connections - 1);
    });

    it('does not delay publishers while the connection is dead', async () => {
      const clock = createTestClock();
      const { proxy, cut } = await startTwo({ wait: clock.wait });
      proxy.freeze();
      const published = cut.bus.publish('tc_1');
      await clock.untilWaiting(2000);
      clock.advance(2000);
      await published;
      expect(cut.errors).toMatchObject([{ message: `The bus over ${name} could not send tc_1.` }]);
    });
  });

  describe(`the ${name} bus whose service is unavailable`, () => {
    const startRefused = async (options: BusOptions = {}) => {
      const died = watchProcess();
      const proxy = await createTcpProxy(url);
      proxy.refuse();
      const clock = createTestClock();
      const errors: unknown[] = [];
      const bus = createBus(proxy.url, '', {
        channel: uniqueName(),
        onError: (error) => void errors.push(error),
        wait: clock.wait,
        random: () => 1,
        ...options,
      });
      onTestFinished(() => bus.close());
      return { died, proxy, clock, errors, bus };
    };

    it('is down, and comes up with the service', async () => {
      const { died, proxy, clock, bus } = await startRefused();
      const heard: string[] = [];
      bus.subscribe((reference) => void heard.push(reference));
      expect(bus.state()).toBe('down');
      await bus.publish('tc_1');
      await clock.untilWaiting(250);
      proxy.restore();
      clock.advance(250);
      await expect.poll(bus.state).toBe('up');
      await expect.poll(() => heard).toEqual(['tc_1']);
      expect(died).toEqual([]);
    });

    it('retries after growing pauses, and reports each cause once', async () => {
      const { died, clock, errors } = await startRefused();
      for (const pauseMs of [250, 500, 1000, 2000, 4000, 8000]) {
        await clock.untilWaiting(pauseMs);
        clock.advance(pauseMs);
      }
      await clock.untilWaiting(10_000);
      const causes = errors.map((error) => String((error as Error).cause));
      expect(causes).toEqual([...new Set(causes)]);
      expect(causes).not.toEqual([]);
      expect(died).toEqual([]);
    });

    it('can be closed while down, connecting or up, and leaves nothing behind', async () => {
      const { died, proxy, clock, bus } = await startRefused();
      await clock.untilWaiting(250);
      await bus.close();
      expect(clock.pending()).toBe(0);

      proxy.restore();
      const connecting = createBus(proxy.url, '', { wait: clock.wait });
      await connecting.close();
      expect(clock.pending()).toBe(0);

      const { bus: up } = await startInstance((options) => createBus(proxy.url, '', options), {
        wait: clock.wait,
      });
      await up.close();
      expect(clock.pending()).toBe(0);
      expect(died).toEqual([]);
    });
  });
}
