import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import * as v from 'valibot';
import { parseWebUrl } from '../../../../src/contract/index.ts';
import { listOf, parseOptions } from '../../../core/options.ts';
import type { NodeListener } from '../../../node.ts';
import { fetchToNodeListener } from '../../../node.ts';
import { SandboxError } from '../errors/sandbox-error.ts';
import { pageFile, pageHeaders } from '../http/pages.ts';
import { toErrorResponse, toResponse } from '../http/responses.ts';
import type { Sandbox } from '../index.ts';
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
        (name) => typeof name === 'string' && isHostName(name),
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
  const { pagesFolder = packagedPages(), allowedHosts } = parseOptions(
    SandboxListenerOptions,
    options,
    'createSandboxListener',
  );
  const panelPath = `${sandbox.basePath}/_sandbox/panel`;
  const entrances = ['/', sandbox.basePath, `${sandbox.basePath}/`];
  const isAccepted = createHostCheck(sandbox.publicUrl, allowedHosts);
  const servePages = createPagesListener(pagesFolder);
  const serveSandbox = fetchToNodeListener(sandbox.fetch);
  const refuseWith = (error: SandboxError): NodeListener => {
    const refuse = fetchToNodeListener(async () => toResponse(toErrorResponse(error), 'GET', sandbox.now()));
    return (request, response) => {
      // The Fetch standard does not allow a `Request` with TRACE.
      request.method = 'GET';
      refuse(request, response);
    };
  };
  const refuseTrace = refuseWith(noTrace);
  const refuseHost = refuseWith(otherHost);

  return (request, response) => {
    const { method = 'GET', url = '/' } = request;
    if (!isAccepted(request.headers.host)) return refuseHost(request, response);
    const [path = '/'] = url.split('?');
    if (path === panelPath || (entrances.includes(path) && wantsPage(request))) {
      return void response.writeHead(302, { location: `${panelPath}/`, vary: 'accept' }).end();
    }
    const file = pageFile(path, sandbox.basePath);
    if (file !== undefined) {
      request.url = file;
      return servePages(request, response);
    }
    const serve = ['TRACE', 'TRACK'].includes(method) ? refuseTrace : serveSandbox;
    serve(request, response);
  };
}

const noTrace = new SandboxError('method_not_allowed', 'TRACE is not allowed.', {
  headers: { allow: 'GET, HEAD, POST, PUT, OPTIONS' },
});

const otherHost = new SandboxError(
  'host_refused',
  'The sandbox is not served under this host name; use localhost, or add the name to allowedHosts (on the command line, --allowed-host).',
);

function wantsPage({ method = 'GET', headers }: IncomingMessage): boolean {
  // Tools that wait for a server send HEAD, and accept anything.
  return method === 'HEAD' || (method === 'GET' && (headers.accept ?? '').includes('text/html'));
}

function createPagesListener(folder: string): NodeListener {
  const isBuilt = existsSync(join(folder, 'index.html'));
  const serveFile = isBuilt ? sirv(folder, { etag: true }) : undefined;
  return (request, response) => {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    if (!['GET', 'HEAD'].includes(request.method ?? 'GET')) {
      response.setHeader('allow', 'GET, HEAD');
      return sendText(response, 405, 'Use GET for this page.');
    }
    if (serveFile === undefined) {
      const text = `The control panel and the payment page are not built: ${folder} has no index.html.`;
      return sendText(response, 404, text);
    }
    serveFile(request, response, () => sendText(response, 404, 'The file does not exist.'));
  };
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

/** Resolves the package by name, so that the built file and a copy in a merchant's bundle both find the pages. */
function packagedPages(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('transfer-checkout/package.json');
    return join(dirname(manifest), 'dist/sandbox-pages');
  } catch {
    // The bundle was moved away from the package: their 404 shows this path.
    return fileURLToPath(new URL('sandbox-pages', import.meta.url));
  }
}

/**
 * Creates the check of a `Host` header. In a DNS rebinding attack a page has the origin that it sends requests to, and only
 * its host name shows the attack. So only names are accepted that an attacker cannot have: those of this machine, that of
 * `publicUrl`, and the allowed ones. A missing header is refused.
 */
function createHostCheck(
  publicUrl: string,
  allowedHosts: readonly string[],
): (host: string | undefined) => boolean {
  const allowed = new Set([new URL(publicUrl).host, ...allowedHosts].map(nameOf));
  return (host = '') => {
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
function isHostName(name: string): boolean {
  return /^([\w.-]+|\[[\da-f:.]+\])$/i.test(name) && nameOf(name) !== undefined;
}
