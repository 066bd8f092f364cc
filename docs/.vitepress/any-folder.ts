import { createHash } from 'node:crypto';
import type { UserConfig } from 'vitepress';

/** VitePress wants to know the folder that serves the site. This name stands for it, and each page replaces it. */
const folder = '/@docs/';

/** The global that has the real folder in the browser. */
const global = 'globalThis.docsFolder';

type Plugin = Exclude<
  NonNullable<NonNullable<UserConfig['vite']>['plugins']>[number],
  false | null | undefined
>;

/** The search index is one long string of JSON, which contains the pages' addresses. */
const searchIndex = {
  name: 'search-index-in-any-folder',
  enforce: 'post',
  transform: (code: string, id: string): string | undefined =>
    id.startsWith('/@localSearchIndex') && code.includes(folder)
      ? code.replace(
          /^export default ([\s\S]*?);?\s*$/,
          `export default ($1).replaceAll('${folder}', ${global})`,
        )
      : undefined,
} satisfies Plugin;

/** Runs before the site's own script, which renders the links again for another page without changing these. */
const setFolder = (path: string): string =>
  `${global}=new URL('${path}',location).pathname;` +
  `__VP_SITE_DATA__.base=${global};` +
  `for(const a of document.querySelectorAll('a[href^="."]'))a.href=a.href`;

/** Makes a page's addresses relative, and refuses everything from elsewhere. */
function completePage(html: string, path: string): string {
  const page = html
    .replaceAll(`"${folder}`, `"${path}`)
    .replace(/(<script>window\.__VP_HASH_MAP__[\s\S]*?)<\/script>/, `$1${setFolder(path)}</script>`);
  const hashes = [...page.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(' ')}`,
    // Highlighted code has its colours in style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "base-uri 'none'",
  ].join('; ');
  return page.replace(
    '<meta charset="utf-8">',
    `$&\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}

/** Configures the site so that any static file server can serve it, in any folder. */
export const inAnyFolder = {
  base: folder,
  vite: {
    define: { 'import.meta.env.BASE_URL': global },
    experimental: { renderBuiltUrl: (_file, { ssr }) => (ssr ? undefined : { relative: true }) },
    plugins: [searchIndex],
  },
  transformHtml: (html, _file, { page }) =>
    completePage(html, '../'.repeat(page.split('/').length - 1) || './'),
} satisfies UserConfig;
