import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeMounting } from '../mounting/mounting-suite.ts';
import { createWorkspace } from '../mounting/workspace.ts';
import { runTool } from '../package/tool.ts';
import { type InstalledNode, installNode, nodeVersions } from './installed-node.ts';

/** What a merchant's server runs, and what it is tested with. */
const suites = ['client', 'http', 'checkout', 'stores', 'tools/sandbox', 'tools/testing', 'tools/cli'];

describe.each(nodeVersions)('Node %d', (major) => {
  let node: InstalledNode;
  beforeAll(async () => {
    node = await installNode(major);
  });
  afterAll(() => node?.remove());

  it('passes the tests of the server-kit', async () => {
    const folders = ['test/contract', ...suites.map((name) => `test/server-kit/${name}`)];
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', ...folders];
    const { code, output } = await runTool(node.program, args, { env: node.env });
    expect(code, output).toBe(0);
    expect(output).toMatch(/\d{4} passed, 0 failed/);
  });

  describeMounting(`node:http of Node ${major}`, async () => ({
    command: [node.program, 'api.js'],
    ...(await createWorkspace('html')),
  }));
});
