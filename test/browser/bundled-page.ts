import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { build, type Plugin, type Rolldown } from 'vite';
import { openContent, type ShopPage } from './shop-page.ts';

type BundleOptions = {
  /** A project that has the packages that the script imports. */
  readonly folder: string;
  /** Files to take in place of packages. */
  readonly alias?: Readonly<Record<string, string>>;
};

/** What the plugin of Vue defines. Without it, Vue warns. */
const vueFlags = {
  __VUE_OPTIONS_API__: 'true',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
};

/** A file that is not written, because tests that run at the same time share its folder. */
const inMemory = (file: string, code: string): Plugin => ({
  name: 'in-memory',
  resolveId: (id) => (id === file ? id : undefined),
  load: (id) => (id === file ? code : undefined),
});

/** Bundles a page's script and all its packages, as a shop would. */
export async function bundleScript(script: string, { folder, alias = {} }: BundleOptions): Promise<string> {
  const file = join(folder, 'page.js');
  const { output } = (await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"development"', ...vueFlags },
    resolve: { alias },
    plugins: [inMemory(file, script)],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: file, output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}

/** Opens a page of the shop's site that runs a script. */
export async function openBundled(
  context: BrowserContext,
  code: string,
  { head = '', body = '' } = {},
): Promise<ShopPage> {
  const path = '/bundled-page.js';
  await context.route(`**${path}`, (route) => route.fulfill({ contentType: 'text/javascript', body: code }));
  return openContent(context, { head, body: `${body}<script type="module" src="${path}"></script>` });
}
