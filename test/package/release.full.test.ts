import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import { projectFolder } from '../setup/demo-process.ts';
import { runTool } from './tool.ts';

const readFileOf = (path: string): Promise<string> => readFile(join(projectFolder, path), 'utf8');

/** Rehearses the release, without a registry. */
const rehearse = (address: string) =>
  runTool('.ci/release', ['--dry-run'], {
    env: {
      REPOSITORY_URL: address,
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_fetch_retries: '0',
      npm_config_update_notifier: 'false',
    },
  });

describe('.ci/release', () => {
  it.each(['', 'git@code.example:shop/checkout.git'])(
    'refuses %j as the address of the repository',
    async (address) => {
      const { code, output } = await rehearse(address);
      expect([code, output]).toEqual([1, expect.stringContaining('Set REPOSITORY_URL to the address')]);
    },
  );

  it('publishes the packed files and an SBOM, with the address, which stays out of package.json', async () => {
    const builtAt = async (): Promise<number> => (await stat(join(projectFolder, 'dist/cli.js'))).mtimeMs;
    const before = await builtAt();
    const { code, output } = await rehearse('https://code.example/shop/checkout');
    expect(code, output).toBe(0);
    // A build would remove the files that other tests use now.
    expect(await builtAt()).toBe(before);
    expect(output).toContain(`+ transfer-checkout@${manifest.version}`);
    expect(output).toContain(`with tag ${manifest.version.includes('-') ? 'next' : 'latest'}`);
    expect(output).not.toContain('auto-corrected');
    const { repository, bugs, homepage, ...others } = JSON.parse(
      await readFileOf('build/release/package/package.json'),
    );
    expect([repository, bugs, homepage]).toEqual([
      { type: 'git', url: 'git+https://code.example/shop/checkout.git' },
      { url: 'https://code.example/shop/checkout/issues' },
      'https://code.example/shop/checkout#readme',
    ]);
    expect(others).toEqual(JSON.parse(await readFileOf('package.json')));
    expect(output).toMatch(/ sbom\.cdx\.json$/m);
    expect(JSON.parse(await readFileOf('build/release/package/sbom.cdx.json'))).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: manifest.name, version: manifest.version } },
    });
  });
});
