import { spawn } from 'node:child_process';
import { describe, expect, onTestFinished } from 'vitest';
import { it } from '../browser/browser-test.ts';
import { readPage, samplesOf } from '../docs/pages.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { freePort } from '../setup/reserve-port.ts';

describe('README.md', () => {
  it('has a shop that shows an account number in a browser', async ({ newShopper }) => {
    const [sample = ''] = samplesOf(readPage('README.md'), 'js');
    const port = await freePort();
    const here = sample
      .replace('port: 4010', 'port: 0')
      .replaceAll('3000', `${port}`)
      .replace('node_modules/transfer-checkout/dist', 'dist');
    const shop = spawn('node', ['--input-type=module', '--eval', here], { cwd: projectFolder });
    onTestFinished(() => void shop.kill());
    const page = await (await newShopper()).newPage();
    const isOpen = (): Promise<boolean> =>
      page.goto(`http://localhost:${port}`).then(
        () => true,
        () => false,
      );
    await expect.poll(isOpen).toBe(true);
    await page.locator('[data-field="accountNumber"]').first().waitFor();
  });
});
