import { SandboxError } from '../errors/sandbox-error.ts';

type RouteRow = { method: string; path: string };

export type Match<Name extends string> =
  | { name: Name; parameters: Readonly<Record<string, string>> }
  /** A known path whose methods the request asks for. */
  | { name: undefined; allow: string };

/**
 * Creates a router for a table of routes. `{name}` matches one path segment; literal segments have priority.
 *
 * The router throws a `SandboxError`: 404 `route_not_found`, or 405 `method_not_allowed` with `Allow`.
 */
export function createRouter<Name extends string>(
  rows: Readonly<Record<Name, RouteRow>>,
): (method: string, path: string) => Match<Name> {
  const routes = (Object.entries(rows) as [Name, RouteRow][])
    .map(([name, { method, path }]) => ({ name, method, segments: path.split('/') }))
    .sort((left, right) => placeholders(left.segments) - placeholders(right.segments));
  return (method, path) => {
    const segments = path.split('/').map(decodeSegment);
    const candidates = routes.flatMap(({ segments: template, ...route }) => {
      const parameters = matchSegments(template, segments);
      return parameters === undefined ? [] : [{ ...route, parameters }];
    });
    if (candidates.length === 0) {
      throw new SandboxError(
        'route_not_found',
        `Nothing is at ${path}; compare it with the list of endpoints.`,
      );
    }
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = candidates.find((route) => route.method === wanted);
    if (found !== undefined) return { name: found.name, parameters: found.parameters };
    const allow = allowedMethods(candidates);
    if (method === 'OPTIONS') return { name: undefined, allow };
    throw new SandboxError('method_not_allowed', `${method} is not allowed at ${path}; use ${allow}.`, {
      headers: { allow },
    });
  };
}

const placeholders = (segments: readonly string[]): number =>
  segments.filter((segment) => segment.startsWith('{')).length;

/** Returns the values of the placeholders; `undefined` where the path does not match, or is not UTF-8. */
function matchSegments(template: readonly string[], segments: readonly string[]) {
  if (template.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of template.entries()) {
    const segment = segments[index] ?? '';
    if (!expected.startsWith('{')) {
      if (segment !== expected) return undefined;
    } else if (segment === '') return undefined;
    else parameters[expected.slice(1, -1)] = segment;
  }
  return parameters;
}

/** Escapes that are no UTF-8 match nothing. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

function allowedMethods(routes: readonly { method: string }[]): string {
  const methods = new Set(routes.map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}
