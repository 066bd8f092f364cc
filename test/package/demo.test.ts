import { describe, expect, it, onTestFinished } from 'vitest';
import { builtServer, startDemo } from '../setup/demo-process.ts';
import { createBrowser, describeSurvival, sqlite, start } from './demo-survival.ts';
import { runTool } from './tool.ts';

describe('the demo on SQLite', () => describeSurvival(sqlite));

describe('the demo', () => {
  it('responds to a request that it holds, and ends with 0', async () => {
    const demo = await start(await sqlite());
    const browser = createBrowser();
    await browser.visit(demo.url);
    const session = await browser.open(demo.url);
    const etag = (await browser.poll(demo.url, session)).headers.get('etag') ?? '';
    const held = browser.poll(demo.url, session, etag);
    // Another response: by now the first request is there too.
    await browser.poll(demo.url, session);
    const ended = demo.kill('SIGTERM');
    expect((await held).status).toBe(304);
    expect(await ended).toBe(0);
  });

  it('listens on this machine only, unless HOST opens it', async () => {
    const reach = async (env: Record<string, string>): Promise<number | undefined> => {
      const demo = await startDemo(builtServer, env);
      onTestFinished(() => demo.stop());
      expect((await fetch(demo.url)).status).toBe(200);
      // Another address of this machine, as another device would use one.
      return fetch(demo.url.replace('localhost', '127.0.0.2')).then(
        ({ status }) => status,
        () => undefined,
      );
    };
    expect(await reach({})).toBeUndefined();
    expect(await reach({ HOST: '0.0.0.0' })).toBe(200);
  });

  it.each([
    ['mysql://root:hunter2@db/shop', /DATABASE_URL begins with "mysql:"; set it to file:shop\.db/],
    ['file:/no/such/folder/shop.db', /The database of DATABASE_URL cannot be used: .*correct DATABASE_URL/],
    [
      'postgres://shop:hunter2@127.0.0.1:1/shop',
      /The database of DATABASE_URL cannot be used: .*ECONNREFUSED/,
    ],
  ])('says what is wrong with %s, without its password', async (DATABASE_URL, message) => {
    const [command, ...args] = builtServer;
    const { code, output } = await runTool(command, args, { env: { DATABASE_URL, PORT: '0' } });
    expect(code).toBe(1);
    expect(output).toMatch(message);
    expect(output).not.toContain('hunter2');
  });
});
