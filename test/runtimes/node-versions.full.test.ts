import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeMounting } from '../mounting/mounting-suite.ts';
import { createWorkspace } from '../mounting/workspace.ts';
import { type InstalledShop, installShop } from '../package/installed-shop.ts';
import { runTool } from '../package/tool.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { type InstalledNode, installNode, nodeVersions, runningNode } from './installed-node.ts';

/** What depends on the version of Node: fetch, crypto, HTTP, databases and processes. */
const suites = ['core', 'serve', 'stores', 'tools/cli'];

/** A shop with an older client of SQLite of its own. */
let shop: InstalledShop;
beforeAll(async () => {
  shop = await installShop('@libsql/client@0.15');
  await copyFile(join(projectFolder, 'test/runtimes/paid-order.js'), join(shop.folder, 'paid-order.js'));
});
afterAll(() => shop?.remove());

/** Takes a paid order with the packed package, and a database of its own. */
async function payIn(runtime: string, [command = '', ...args]: string[], env: Record<string, string> = {}) {
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
}

describe('the packed package takes a paid order on SQLite', () => {
  it('in the Node that runs the tests', () => payIn(`Node ${runningNode}`, [process.execPath]));
  it('in Bun', () => payIn('Bun 1', ['bun']));
  it('in Deno', () =>
    payIn('Deno 2', ['deno', 'run', '--allow-all'], { DENO_DIR: join(shop.folder, '.deno') }));
});

describe.each(nodeVersions)('Node %d', (major) => {
  let node: InstalledNode;
  beforeAll(async () => {
    node = await installNode(major);
  });
  afterAll(() => node?.remove());

  it('takes a paid order on SQLite', () => payIn(`Node ${major}`, [node.program]));

  it('passes the tests of what depends on it', async () => {
    const folders = suites.map((name) => `test/server-kit/${name}/`);
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', ...folders];
    const { code, output } = await runTool(node.program, args, { env: node.env });
    expect(code, output).toBe(0);
    expect(output).toMatch(/\d{3,} passed, 0 failed/);
  });

  describeMounting(`node:http of Node ${major}`, async () => ({
    command: [node.program, 'api.js'],
    ...(await createWorkspace('html')),
  }));
});
