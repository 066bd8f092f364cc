import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** Creates what serves the files that a folder has now, and no others. */
export function createFiles(
  folder: string,
  headers: Readonly<Record<string, string>>,
): (method: string, path: string) => Response {
  const names = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : [];
  const files = new Map(names.map((name) => [`/${name.replaceAll('\\', '/')}`, join(folder, name)]));
  const refuse = (status: number, text: string, more = {}): Response =>
    new Response(`${text}\n`, { status, headers: { ...headers, 'content-type': 'text/plain', ...more } });
  return (method, path) => {
    if (!['GET', 'HEAD'].includes(method))
      return refuse(405, 'Use GET for this page.', { allow: 'GET, HEAD' });
    if (files.size === 0) return refuse(404, `The files are not built: ${folder} has none.`);
    const file = files.get(path === '/' ? '/index.html' : path);
    const type = contentTypes[extname(file ?? '')];
    if (file === undefined || type === undefined) return refuse(404, 'The file does not exist.');
    return new Response(method === 'HEAD' ? null : readFileSync(file), {
      headers: { ...headers, 'content-type': type },
    });
  };
}

/**
 * Returns a folder of the package's `dist`. Resolves the package by name, so that the built file and a copy in a merchant's bundle both
 * find it.
 */
export function packagedFolder(name: string): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('transfer-checkout/package.json');
    return join(dirname(manifest), 'dist', name);
  } catch {
    // The bundle was moved away from the package: their 404 shows this path.
    return fileURLToPath(new URL(name, import.meta.url));
  }
}
