import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createRedisBus } from '../../../../server-kit/drivers/redis/bus.ts';
import { connectRedis, hasRedis, redisUrl } from '../../kit/services.ts';
import { describeConnectedBus } from '../conformance/connected-bus.conformance.ts';

describe.skipIf(!(await hasRedis()))('a bus on Redis', () => {
  describeConnectedBus({
    name: 'Redis',
    url: redisUrl,
    createBus: (url, connectionName, options) =>
      createRedisBus({ redis: connectRedis(url, connectionName), ...options }),
    async kill(connectionName) {
      const admin = connectRedis(redisUrl);
      const clients = String(await admin.call('CLIENT', 'LIST', 'TYPE', 'pubsub'));
      const [, id = ''] = clients.match(new RegExp(`id=(\\d+) .* name=${connectionName} `)) ?? [];
      expect(await admin.call('CLIENT', 'KILL', 'ID', id)).toBe(1);
    },
  });

  it('reports that Redis refused the login, without the password', async () => {
    const { host } = new URL(redisUrl);
    const errors: unknown[] = [];
    const redis = connectRedis(`redis://nobody:word-of-nobody@${host}`);
    const bus = createRedisBus({ redis, onError: (error) => void errors.push(error) });
    await expect
      .poll(() => errors)
      .toMatchObject([{ cause: { message: expect.stringMatching(/^WRONGPASS/) } }]);
    await bus.close();
    expect(inspect(errors, { depth: null })).not.toContain('word-of-nobody');
  });
});

describe('createRedisBus', () => {
  it.each(['', 'Shop', 'a-b', 'a"b', 'x'.repeat(64)])('refuses the channel "%s"', (channel) => {
    const redis = new Redis({ lazyConnect: true });
    expect(() => createRedisBus({ redis, channel })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining('channel:') }),
    );
  });
});
