import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { type RuntimeProcess, startRuntime } from '../mounting/runtime-process.ts';
import { examplesFolder, isSource } from '../mounting/workspace.ts';
import { runTool } from '../package/tool.ts';
import { reservePort } from '../setup/reserve-port.ts';

/** As in a shell: Vitest sets NODE_ENV, which would change builds. Nothing phones home. */
const env = {
  ...process.env,
  NODE_ENV: undefined,
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
};

export type InstalledExample = {
  readonly folder: string;
  readonly pageUrl: string;
  readonly sandboxUrl: string;
  /** Runs a script of its `package.json`, and resolves when its page and its sandbox respond. */
  readonly start: (script: string) => Promise<RuntimeProcess>;
  /** Runs one of several scripts, and resolves when the port responds that its files name so. */
  readonly startOne: (script: string, port: string) => Promise<RuntimeProcess>;
  /** Returns the address of a port that its files name so. */
  readonly urlOf: (port: string) => string;
  readonly remove: () => Promise<void>;
};

/** Copies an example out of the project, to ports of its own, and installs the packed package and all else that it names. */
export async function installExample(name: string): Promise<InstalledExample> {
  const folder = await mkdtemp(join(tmpdir(), `transfer-checkout-${name}-`));
  // Those in the files: the page's, two more servers', and the sandbox's.
  const written = ['3000', '3001', '3002', '4010'];
  const reserved = await Promise.all(written.map(reservePort));
  const portOf = (port: string): string => `${reserved[written.indexOf(port)]?.port}`;
  await cp(join(examplesFolder, name), folder, { recursive: true, filter: isSource });
  await replaceInFiles(folder, (text) =>
    text
      .replace(/\b(?:3000|3001|3002|4010)\b/g, portOf)
      .replace(
        `"transfer-checkout": "${manifest.version}"`,
        `"transfer-checkout": "${inject('packedFile')}"`,
      ),
  );
  const install = ['install', '--prefer-offline'];
  const { code, output } = await runTool('npm', install, { folder, env });
  if (code !== 0) throw new Error(output);
  const urlOf = (port: string): string => `http://localhost:${portOf(port)}`;
  const [pageUrl, sandboxUrl] = [urlOf('3000'), urlOf('4010')];
  const release = () => Promise.all(reserved.map((port) => port.release()));
  return {
    folder,
    pageUrl,
    sandboxUrl,
    async start(script) {
      await release();
      // The proxy responds with 502 for the widget's script until the checkout process, where the example has one, is up.
      const urls = [pageUrl, `${pageUrl}/assets/checkout.js`, sandboxUrl];
      return startRuntime({ command: ['npm', 'run', script], folder, env }, ...urls);
    },
    async startOne(script, port) {
      await release();
      // 127.0.0.1, because the shop listens to nothing else.
      return startRuntime(
        { command: ['npm', 'run', script], folder, env },
        urlOf(port).replace('localhost', '127.0.0.1'),
      );
    },
    urlOf,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function replaceInFiles(folder: string, replace: (text: string) => string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    await writeFile(path, replace(await readFile(path, 'utf8')));
  }
}
