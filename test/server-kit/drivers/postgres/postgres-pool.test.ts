import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { surviveLostConnections } from '../../../../server-kit/drivers/postgres/postgres-pool.ts';

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
});
