import { EventEmitter } from 'node:events';
import { Pool } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { surviveLostConnections } from '../../../../server-kit/stores/postgres/pool.ts';
import { createPostgresStore } from '../../../../server-kit/stores/postgres/store.ts';
import { postgresUrl } from '../../kit/services.ts';

/** The events of a pool and of a connection, as pg emits them. */
function createEvents() {
  const [pool, client] = [new EventEmitter(), new EventEmitter()];
  return { pool, client, acquire: () => pool.emit('acquire', client) };
}

const guard = (pool: EventEmitter): void => surviveLostConnections(pool as unknown as Pool);
const lost = new Error('terminating connection due to administrator command');

describe('surviveLostConnections', () => {
  it('hears of a connection that is lost at the moment it is acquired, and of an idle one', () => {
    const { pool, client, acquire } = createEvents();
    guard(pool);
    acquire();
    expect(() => client.emit('error', lost)).not.toThrow();
    expect(() => pool.emit('error', lost)).not.toThrow();
  });

  it('attaches one listener, however many share the pool and however often a connection is acquired', () => {
    const { pool, client, acquire } = createEvents();
    for (let user = 0; user < 5; user++) guard(pool);
    for (let time = 0; time < 50; time++) acquire();
    expect(client.listenerCount('error')).toBe(1);
    expect([pool.listenerCount('error'), pool.listenerCount('acquire')]).toEqual([1, 1]);
  });

  it('leaves the listeners of others', () => {
    const { pool } = createEvents();
    const heard: unknown[] = [];
    pool.on('error', (error) => heard.push(error));
    guard(pool);
    pool.emit('error', lost);
    expect(heard).toEqual([lost]);
  });

  it.each<[string, (pool: Pool) => unknown]>([
    ['store on the merchant’s pool', (pool) => createPostgresStore({ pool })],
    ['store on its own pool', () => createPostgresStore({ connectionString: postgresUrl })],
  ])('is called by a %s', (_user, create) => {
    const on = vi.spyOn(Pool.prototype, 'on');
    onTestFinished(() => on.mockRestore());
    create(new Pool());
    expect(on.mock.calls.map(([event]) => event).toSorted()).toEqual(['acquire', 'error']);
  });
});
