import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json';
import { projectFolder } from '../setup/demo-process.ts';
import { runTool } from './tool.ts';

const cli = join(projectFolder, manifest.bin['transfer-checkout']);

/** Starts the sandbox, and resolves with its address once it is there. */
async function startSandbox() {
  const child = spawn(cli, ['sandbox', '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const [greeting] = await once(child.stdout.setEncoding('utf8'), 'data');
  const { url, panel } = JSON.parse(greeting) as { url: string; panel: string };
  return { child, exited, url, panel };
}

describe('transfer-checkout', () => {
  it('is a program that Node runs', async () => {
    expect(await readFile(cli, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    // The packer sets the bit where the system has none.
    if (process.platform !== 'win32') expect((await stat(cli)).mode & 0o111).toBe(0o111);
    expect(await runTool(cli, ['--version'])).toMatchObject({ code: 0, output: `${manifest.version}\n` });
  });

  it('exits with 2 for what it does not know', async () => {
    const { code, output } = await runTool('node', [cli, 'sandbx']);
    expect([code, output]).toEqual([2, expect.stringContaining('(Did you mean sandbox?)')]);
  });

  it('runs a sandbox with its panel until Ctrl-C, and then exits with 0', async () => {
    const { child, exited, url, panel } = await startSandbox();
    const page = await fetch(panel);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    const args = ['trigger', 'payout.sent', '--in-sandbox', url];
    expect(await runTool(cli, args)).toMatchObject({ code: 0, output: expect.stringContaining('POST') });
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
  });

  it('reconciles the checkout of a module, and does not wait for what the module holds open', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reconcile-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const module = join(folder, 'checkout.js');
    // The timer stands for a connection to a database.
    const shop = `import { createTestShop } from '${projectFolder}dist/testing.js';
      const shop = createTestShop({ onPaid: ({ order }) => console.log('paid ' + order.orderId) });
      shop.sandbox.control.setCallbackDelivery({ drop: true });
      await shop.pay(await shop.open());
      await shop.advance({ minutes: 2 });
      setInterval(() => {}, 1000);
      export const { checkout } = shop;`;
    await writeFile(module, shop);
    const { code, output } = await runTool(cli, ['reconcile', '--module', module, '--once']);
    expect([code, output]).toEqual([0, expect.stringMatching(/^paid order-1\n\d\d:\d\d:\d\d {2}1 due/)]);

    const child = spawn(cli, ['reconcile', '--module', module, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('ends quietly when its reader has gone', async () => {
    const { child, exited, url } = await startSandbox();
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdout.destroy();
    // The log of the request goes to the closed pipe.
    await fetch(`${url}/v1/nowhere`).catch(() => {});
    expect(await exited).toEqual([0, null]);
    expect(stderr).toBe('');
  });
});
