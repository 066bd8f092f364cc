import { SandboxError } from '../errors.ts';

export type Match<Name extends string> =
  | { name: Name; parameters: Readonly<Record<string, string>> }
  /** A known path whose methods the request asks for. */
  | { name: undefined; allow: string };

/**
 * Creates a router for a table of routes, in which `{name}` matches one path segment. The router throws a `SandboxError`: 404
 * `route_not_found`, or 405 `method_not_allowed` with `Allow`.
 */
export function createRouter<Name extends string>(
  rows: Readonly<Record<Name, { method: string; path: string }>>,
): (method: string, path: string) => Match<Name> {
  const routes = (Object.entries(rows) as [Name, { method: string; path: string }][]).map(
    ([name, { method, path }]) => ({
      name,
      method,
      pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    }),
  );
  return (method, path) => {
    const candidates = routes.flatMap(({ pattern, ...route }) => {
      const parameters = matchPath(pattern, path);
      return parameters === undefined ? [] : [{ ...route, parameters }];
    });
    if (candidates.length === 0) {
      const message = `There is nothing at ${path}; compare it with the list of endpoints.`;
      throw new SandboxError('route_not_found', message);
    }
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = candidates.find((route) => route.method === wanted);
    if (found !== undefined) return { name: found.name, parameters: found.parameters };
    const methods = new Set(candidates.map((route) => route.method));
    if (methods.has('GET')) methods.add('HEAD');
    const allow = [...methods, 'OPTIONS'].join(', ');
    if (method === 'OPTIONS') return { name: undefined, allow };
    const message = `${method} is not allowed at ${path}; use ${allow}.`;
    throw new SandboxError('method_not_allowed', message, { headers: { allow } });
  };
}

/** Returns the values of the placeholders; `undefined` for another path, and for escapes that are not UTF-8. */
function matchPath(pattern: RegExp, path: string): Record<string, string> | undefined {
  const match = pattern.exec(path);
  if (match === null) return undefined;
  const values = Object.entries(match.groups ?? {});
  try {
    return Object.fromEntries(values.map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
