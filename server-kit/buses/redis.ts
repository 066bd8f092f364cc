import type { Redis } from 'ioredis';
import { whenAborted } from '../async/wait.ts';
import type { Bus, BusOptions } from './bus.ts';
import { createConnectedBus, type OpenConnection, readChannel } from './connected.ts';

export type RedisBusOptions = BusOptions & {
  /**
   * A client of ioredis. It publishes, and stays the caller's to close; the bus listens on a second connection of the
   * same settings. Give it a listener for `error`, as ioredis asks.
   */
  redis: Redis;
};

/**
 * A bus over the publish and subscribe of Redis. It is up as soon as Redis is, also when that is later.
 *
 * @throws {CheckoutError} `invalid_options` for a `channel` that cannot be one
 */
export function createRedisBus({ redis, ...options }: RedisBusOptions): Bus {
  const channel = readChannel(options.channel);
  const open: OpenConnection = async (onText, signal) => {
    const subscriber = redis.duplicate({
      lazyConnect: true,
      // The bus reconnects itself, because it has to know when references may have been missed.
      retryStrategy: () => null,
      autoResubscribe: false,
    });
    const lost = new Promise<never>((_resolve, reject) => {
      subscriber.on('error', (error) => reject(withoutCommand(error)));
      subscriber.on('close', () => reject(new Error('Redis closed the connection.')));
    });
    whenAborted(signal, () => subscriber.disconnect());
    subscriber.on('message', (_channel, text) => onText(text));
    const subscribed = subscriber.connect().then(() => subscriber.subscribe(channel));
    // What connect() rejects with hides the cause; `error` tells it.
    await Promise.race([subscribed, lost]);
    return { lost, send: (text) => redis.publish(channel, text), check: () => subscriber.ping() };
  };
  return createConnectedBus('Redis', open, options);
}

/** ioredis puts the command that was refused beside the error: of a login, the password. */
function withoutCommand(error: Error & { command?: unknown }): Error {
  delete error.command;
  return error;
}
