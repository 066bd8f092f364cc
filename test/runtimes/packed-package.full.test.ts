import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type InstalledShop, installShop } from '../package/installed-shop.ts';
import { runTool } from '../package/tool.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { installNode, nodeVersions, runningNode } from './installed-node.ts';

describe('the packed package, beside a shop’s own older client of SQLite', () => {
  let shop: InstalledShop;
  beforeAll(async () => {
    shop = await installShop('@libsql/client@0.15');
    await copyFile(join(projectFolder, 'test/runtimes/paid-order.js'), join(shop.folder, 'paid-order.js'));
  });
  afterAll(() => shop?.remove());

  /** Runs the order with a database of its own. */
  const payIn = async (
    runtime: string,
    [command = '', ...args]: string[],
    env: Record<string, string> = {},
  ) => {
    const DATABASE = join(shop.folder, `${runtime}.db`);
    const options = { folder: shop.folder, env: { ...env, DATABASE } };
    const { code, output } = await runTool(command, [...args, 'paid-order.js'], options);
    expect(code, output).toBe(0);
    expect(JSON.parse(output)).toEqual({
      runtime: expect.stringMatching(new RegExp(`^${runtime}\\.`)),
      orderId: '1001',
      page: 'paid',
      later: 'paid',
    });
  };

  it.each([runningNode, ...nodeVersions])('takes a paid order on SQLite in Node %d', async (major) => {
    if (major === runningNode) return payIn(`Node ${major}`, [process.execPath]);
    const { program, remove } = await installNode(major);
    onTestFinished(remove);
    await payIn(`Node ${major}`, [program]);
  });

  it('takes a paid order on SQLite in Bun', () => payIn('Bun 1', ['bun']));

  it('takes a paid order on SQLite in Deno', () =>
    payIn('Deno 2', ['deno', 'run', '--allow-all'], { DENO_DIR: join(shop.folder, '.deno') }));
});
