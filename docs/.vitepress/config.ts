import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { demoPages } from '../../server-kit/tools/sandbox/pages/panel/route.ts';
import { anchorOf } from '../generate/markdown.ts';
import { inAnyFolder } from './any-folder.ts';
import { configureMarkdown } from './markdown.ts';
import { readSidebar, readTypescriptPages } from './sidebar.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The documentation as a site, beside the demo that its pages show. */
export default defineConfig({
  ...inAnyFolder,
  // The search index is larger, and loaded with the first search.
  vite: { ...inAnyFolder.vite, build: { chunkSizeWarningLimit: 1000 } },
  title: 'transfer-checkout',
  description: 'A checkout widget for paying by bank transfer, and the server-kit behind it',
  lang: 'en',
  outDir: at('../../dist/demo/docs'),
  // Addresses of the reader's own machine.
  ignoreDeadLinks: 'localhostLinks',
  cacheDir: at('../../build/docs-cache'),
  head: [
    ['meta', { name: 'theme-color', content: '#faf7f1', media: '(prefers-color-scheme: light)' }],
    ['meta', { name: 'theme-color', content: '#171512', media: '(prefers-color-scheme: dark)' }],
  ],
  markdown: {
    // Links to headings are the same as on a code host.
    anchor: { slugify: anchorOf },
    // Every colour has enough contrast on the page's background.
    config: configureMarkdown,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: { provider: 'local' },
    // As in the demo's header. The demo is another site to VitePress, which must not route the links.
    nav: Object.entries(demoPages).map(([path, text]) =>
      text === 'Docs'
        ? { text, link: '/', activeMatch: '^/' }
        : { text, link: `/../${path.slice('./'.length)}`, target: '_self', noIcon: true },
    ),
    sidebar: [...readSidebar(), readTypescriptPages()],
    outline: [2, 3],
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});
