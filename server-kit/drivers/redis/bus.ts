import * as v from 'valibot';
import { type Bus, BusOptions } from '../../checkout/ports/bus.ts';
import { whenAborted } from '../../client/async/wait.ts';
import { parseOptions } from '../../client/options/parse-options.ts';
import { createConnectedBus, type OpenConnection } from '../connected/connected-bus.ts';
import { aRedisClient } from './redis-client.ts';

const RedisBusOptions = v.strictObject({
  ...BusOptions.entries,
  /**
   * An ioredis client. The bus publishes on it, and subscribes on a second connection with the same settings. You close it,
   * and you add a listener for its `error` event, as ioredis requires.
   */
  redis: aRedisClient,
});
export type RedisBusOptions = v.InferInput<typeof RedisBusOptions>;

/**
 * Creates a bus over Redis publish/subscribe. It connects as soon as Redis is available.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createRedisBus(options: RedisBusOptions): Bus {
  const { redis, channel, ...settings } = parseOptions(RedisBusOptions, options, 'createRedisBus');
  const open: OpenConnection = async (onText, signal) => {
    const subscriber = redis.duplicate({
      lazyConnect: true,
      // The bus reconnects by itself, because it must know when references may have been missed.
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
    // connect() hides the cause of its failure; the `error` event has it.
    await Promise.race([subscribed, lost]);
    return { lost, send: (text) => redis.publish(channel, text), check: () => subscriber.ping() };
  };
  return createConnectedBus('Redis', open, settings);
}

/** Removes the refused command from an ioredis error: for a login it contains the password. */
function withoutCommand(error: Error & { command?: unknown }): Error {
  delete error.command;
  return error;
}
