import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { it } from '../browser/browser-test.ts';
import { readPage, samplesOf } from '../docs/pages.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { freePort } from '../setup/reserve-port.ts';

const readme = readPage('README.md');

describe('README.md', () => {
  it('has the two lines that do all the set-up on its first screen', () => {
    const firstScreen = readme.text.split('\n').slice(0, 20).join('\n');
    expect(firstScreen).toContain('npm ci && npm start');
    expect(firstScreen).toContain('npm ci && npm test');
  });

  it('has the line that continuous integration runs', () => {
    expect(readFileSync(join(projectFolder, '.ci/run'), 'utf8')).toContain('\n(npm ci && npm test)\n');
  });

  it('can be read to its end', () => {
    expect(Buffer.byteLength(readme.text)).toBeLessThanOrEqual(12_000);
  });

  it('has a shop of thirty lines that shows an account number in a browser', async ({ newShopper }) => {
    const [sample = ''] = samplesOf(readme, 'js');
    expect(sample.trim().split('\n').length).toBeLessThanOrEqual(30);
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
