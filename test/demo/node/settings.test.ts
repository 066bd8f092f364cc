import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../demo/node/settings.ts';

const service = { PAYMENTS_BASE_URL: 'https://x.example', PAYMENTS_API_KEY: 'pk', PAYMENTS_API_SECRET: 'sk' };

const nothingSet = {
  host: '127.0.0.1',
  service: undefined,
  database: { kind: 'memory' },
  sandboxFile: undefined,
};

describe('the settings of the demo', () => {
  it('default to port 4242 and the sandbox', () => {
    expect(readSettings({})).toEqual({ ...nothingSet, port: 4242 });
  });

  it('open the demo to other devices by HOST alone', () => {
    expect(readSettings({ HOST: '0.0.0.0' })).toEqual({ ...nothingSet, host: '0.0.0.0', port: 4242 });
    expect(readSettings({ HOST: '' }).host).toBe('127.0.0.1');
  });

  it('accept another service only with its key and secret', () => {
    expect(readSettings({ PORT: '0', ...service })).toEqual({
      ...nothingSet,
      port: 0,
      service: { baseUrl: 'https://x.example', apiKey: 'pk', apiSecret: 'sk' },
    });
    expect(() => readSettings({ ...service, PAYMENTS_API_SECRET: '' })).toThrow('PAYMENTS_API_SECRET');
  });

  it.each(['http', '70000', '-1', '4.5'])('refuse PORT=%s, and say what to set', (PORT) => {
    expect(() => readSettings({ PORT })).toThrow(/PORT is .*; set it to a number/);
  });

  it('accept a SQLite file, with the sandbox’s file beside it', () => {
    expect(readSettings({ DATABASE_URL: 'file:data/shop.db' })).toMatchObject({
      database: { kind: 'sqlite', url: 'file:data/shop.db' },
      sandboxFile: 'data/shop.db.sandbox.json',
    });
    expect(readSettings({ DATABASE_URL: 'file:///data/shop.db?x=1' }).sandboxFile).toBe(
      '/data/shop.db.sandbox.json',
    );
    expect(readSettings({ DATABASE_URL: 'file:shop.db', SANDBOX_DATA: 'other' }).sandboxFile).toBe('other');
  });

  it.each(['postgres://shop@db/shop', 'postgresql://shop@db/shop'])('accept PostgreSQL at %s', (url) => {
    expect(readSettings({ DATABASE_URL: url })).toMatchObject({
      database: { kind: 'postgres', connectionString: url },
      sandboxFile: undefined,
    });
  });

  it.each(['mysql://root:hunter2@db/shop', 'file:', 'file::memory:', 'shop.db', 'postgres://'])(
    'refuse DATABASE_URL=%s, and say what to set, without its password',
    (DATABASE_URL) => {
      const refusal = (): unknown => readSettings({ DATABASE_URL });
      expect(refusal).toThrow(
        /DATABASE_URL (begins with "\w+:"|has no scheme); set it to file:shop\.db .* or leave it out/,
      );
      expect(refusal).not.toThrow(/hunter2/);
    },
  );
});
