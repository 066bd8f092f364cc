import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { fetchToNodeListener, type NodeListener } from '../../http/node.ts';
import { SandboxError } from '../errors/sandbox-error.ts';
import { pageFile, pageHeaders } from '../http/pages.ts';
import { toErrorResponse, toResponse } from '../http/responses.ts';
import type { Sandbox } from '../index.ts';
import { type AcceptHost, hostnameOf } from './accepted-hosts.ts';

export type SandboxListenerOptions = {
  /** The folder of the built control panel. Default: the package's own. */
  panelFolder?: string;
  /**
   * Returns whether more than the endpoints (`/v1/…`) is served under a host name, such as `localhost`: control calls, the
   * OpenAPI document, the panel and the payment page. Other names are refused with 403 `cross_site_refused`. Default: every
   * name.
   */
  acceptHost?: AcceptHost;
};

/**
 * Serves a sandbox with node:http: the service and its control calls, the control panel at `{basePath}/_sandbox/panel/`,
 * and the page of a checkout link at `{basePath}/_sandbox/pay/{id}`. It redirects browsers, and
 * every HEAD request, from `/` and `{basePath}/` to the panel.
 */
export function createSandboxListener(
  sandbox: Sandbox,
  { panelFolder = packagedPanel(), acceptHost = () => true }: SandboxListenerOptions = {},
): NodeListener {
  const panelPath = `${sandbox.basePath}/_sandbox/panel`;
  const entrances = ['/', sandbox.basePath, `${sandbox.basePath}/`];
  // Only calls of the service are not guarded: containers use their own name for this machine.
  const unguarded = `${sandbox.basePath}/v1/`;
  const servePages = createPagesListener(panelFolder);
  const serveSandbox = fetchToNodeListener(async (request) => {
    const { hostname, pathname } = new URL(request.url);
    return pathname.startsWith(unguarded) || acceptHost(hostname)
      ? sandbox.fetch(request)
      : refuse(otherHost);
  });
  const refuse = (error: SandboxError): Response => toResponse(toErrorResponse(error), 'GET', sandbox.now());
  const refuseTrace = fetchToNodeListener(async () => refuse(noTrace));
  const refuseHost = fetchToNodeListener(async () => refuse(otherHost));

  return (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const [path = '/'] = url.split('?');
    if (path === panelPath || (entrances.includes(path) && wantsPage(request))) {
      return void response.writeHead(302, { location: `${panelPath}/`, vary: 'accept' }).end();
    }
    const file = pageFile(path, sandbox.basePath);
    if (file !== undefined) {
      if (!acceptHost(hostnameOf(request.headers.host ?? 'localhost') ?? ''))
        return refuseHost(request, response);
      request.url = file;
      return servePages(request, response);
    }
    // The Fetch standard does not allow a `Request` with these methods.
    if (['TRACE', 'TRACK'].includes(method)) {
      request.method = 'GET';
      return refuseTrace(request, response);
    }
    return serveSandbox(request, response);
  };
}

const noTrace = new SandboxError(
  'method_not_allowed',
  'TRACE is not allowed; use the methods of the interface.',
  {
    headers: { allow: 'GET, HEAD, POST, PUT, OPTIONS' },
  },
);

const otherHost = new SandboxError(
  'cross_site_refused',
  'Under this host name, only the endpoints are served; call everything else, such as control calls and the panel, at localhost, or set publicUrl to the address that you use.',
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
      return sendText(
        response,
        404,
        `The control panel and the payment page are not built: ${folder} has no index.html.`,
      );
    }
    serveFile(request, response, () => sendText(response, 404, 'The file does not exist.'));
  };
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

/** Resolves the package by name, so that the built file and a copy in a merchant's bundle both find the panel. */
function packagedPanel(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('transfer-checkout/package.json');
    return join(dirname(manifest), 'dist/panel');
  } catch {
    // The bundle was moved away from the package: the panel's 404 shows this path.
    return fileURLToPath(new URL('panel', import.meta.url));
  }
}
