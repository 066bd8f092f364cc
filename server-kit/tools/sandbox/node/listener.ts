import * as v from 'valibot';
import { parseWebUrl } from '../../../../src/contract/index.ts';
import { listOf, parseOptions } from '../../../core/options.ts';
import { fetchToNodeListener, type NodeListener } from '../../../node.ts';
import { SandboxError } from '../errors.ts';
import { pageFile, pageHeaders } from '../http/pages.ts';
import { toErrorResponse, toResponse } from '../http/responses.ts';
import type { Sandbox } from '../index.ts';
import { createFiles, packagedFolder } from './files.ts';
import { isLoopback } from './loopback.ts';

export const SandboxListenerOptions = v.strictObject({
  /** The folder of the built control panel and payment page. Default: the package's own. */
  pagesFolder: v.optional(v.string('must be a path')),
  /**
   * Further host names under which requests are accepted, without port, such as `sandbox` for other containers. Those of this
   * machine (`localhost`) and of `publicUrl` always are. Others are refused with 403 `host_refused`. Default: none.
   */
  allowedHosts: v.optional(
    listOf(
      v.custom<string>(
        (name) => isHostName(name),
        'must be a host name without scheme and port, such as sandbox',
      ),
      'must be a list of host names',
    ),
    [],
  ),
});
export type SandboxListenerOptions = v.InferInput<typeof SandboxListenerOptions>;

/**
 * Serves a sandbox with node:http: the service and its control calls, the control panel at `{basePath}/_sandbox/panel/`,
 * and the page of a checkout link at `{basePath}/_sandbox/pay/{id}`. It redirects browsers, and
 * every HEAD request, from `/` and `{basePath}/` to the panel.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createSandboxListener(sandbox: Sandbox, options: SandboxListenerOptions = {}): NodeListener {
  const name = 'createSandboxListener';
  const { pagesFolder, allowedHosts } = parseOptions(SandboxListenerOptions, options, name);
  const panelPath = `${sandbox.basePath}/_sandbox/panel`;
  const entrances = ['/', sandbox.basePath, `${sandbox.basePath}/`];
  const isAccepted = createHostCheck(sandbox.publicUrl, allowedHosts);
  const servePage = createFiles(pagesFolder ?? packagedFolder('sandbox-pages'), pageHeaders);
  return fetchToNodeListener(async (request) => {
    const { method, headers, url } = request;
    if (!isAccepted(headers.get('host') ?? ''))
      return toResponse(toErrorResponse(otherHost), method, sandbox.now());
    const { pathname } = new URL(url);
    if (pathname === panelPath || (entrances.includes(pathname) && wantsPage(request)))
      return new Response(null, { status: 302, headers: { location: `${panelPath}/`, vary: 'accept' } });
    const file = pageFile(pathname, sandbox.basePath);
    return file === undefined ? sandbox.fetch(request) : servePage(method, file);
  });
}

const otherHost = new SandboxError(
  'host_refused',
  'The sandbox is not served under this host name; use localhost, or add the name to allowedHosts (on the command line, --allowed-host).',
);

/** Tools that wait for a server send HEAD, and accept anything. */
const wantsPage = ({ method, headers }: Request): boolean =>
  method === 'HEAD' || (method === 'GET' && (headers.get('accept') ?? '').includes('text/html'));

/**
 * Creates the check of a `Host` header. In a DNS rebinding attack a page has the origin that it sends requests to, and only
 * its host name shows the attack. So only names are accepted that an attacker cannot have: those of this machine, that of
 * `publicUrl`, and the allowed ones. A missing header is refused.
 */
function createHostCheck(publicUrl: string, allowedHosts: readonly string[]): (host: string) => boolean {
  const allowed = new Set([new URL(publicUrl).host, ...allowedHosts].map(nameOf));
  return (host) => {
    const name = nameOf(host);
    return name !== undefined && (isLoopback(name) || allowed.has(name));
  };
}

/** Returns the name in a `Host` header, in lower case; `undefined` for anything but a name with or without a port. */
function nameOf(host: string): string | undefined {
  const url = parseWebUrl(`http://${host}`);
  return url?.href === `${url?.origin}/` ? url.hostname.replace(/\.$/, '') : undefined;
}

/** Whether this is a host name, without scheme and port. */
const isHostName = (name: unknown): boolean =>
  typeof name === 'string' && /^([\w.-]+|\[[\da-f:.]+\])$/i.test(name) && nameOf(name) !== undefined;
