import { describe, expect, it } from 'vitest';
import { readSettings } from '../../demo/settings.ts';

const service = { PAYMENTS_BASE_URL: 'https://x.example', PAYMENTS_API_KEY: 'pk', PAYMENTS_API_SECRET: 'sk' };

describe('the settings of the demo', () => {
  it('are port 4242 and the sandbox where nothing is set', () => {
    expect(readSettings({})).toEqual({ port: 4242, service: undefined });
  });

  it('take another service only with its key and secret', () => {
    expect(readSettings({ PORT: '0', ...service })).toEqual({
      port: 0,
      service: { baseUrl: 'https://x.example', apiKey: 'pk', apiSecret: 'sk' },
    });
    expect(() => readSettings({ ...service, PAYMENTS_API_SECRET: '' })).toThrow('PAYMENTS_API_SECRET');
  });

  it.each(['http', '70000', '-1', '4.5'])('refuse PORT=%s, and say what to set', (PORT) => {
    expect(() => readSettings({ PORT })).toThrow(/PORT is .*; set it to a number/);
  });
});
