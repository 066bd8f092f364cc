import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { fetchToNodeListener, type NodeListener } from '../../http/node.ts';
import { SandboxError } from '../errors/sandbox-error.ts';
import { toErrorResponse, toResponse } from '../http/responses.ts';
import type { Sandbox } from '../index.ts';
import { type AcceptHost, hostnameOf } from './accepted-hosts.ts';

export type SandboxListenerOptions = {
  /** Where the built control panel lies. Default: where the package has it. */
  panelFolder?: string;
  /**
   * Whether control calls, the OpenAPI document, the panel and the payment page answer under a host name, such as `localhost`; others are
   * refused with 403 `cross_site_refused`. Default: every name.
   */
  acceptHost?: AcceptHost;
};

/** The pages show what requests held: nothing of that may ever run. The address of a payment page is not handed on. */
const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
};

/**
 * Serves a sandbox with node:http: the service and its control calls, at `{basePath}/_sandbox/panel/` the control
 * panel, and at `{basePath}/_sandbox/pay/{id}` the page of a checkout link. A browser that asks for `/` or `{basePath}/` is sent to the panel.
 */
export function createSandboxListener(
  sandbox: Sandbox,
  { panelFolder = packagedPanel(), acceptHost = () => true }: SandboxListenerOptions = {},
): NodeListener {
  const panelPath = `${sandbox.basePath}/_sandbox/panel`;
  const entrances = ['/', sandbox.basePath, `${sandbox.basePath}/`];
  // Not the calls of the service: they come under whatever name a container has for this machine.
  const guarded = ['/_sandbox/', '/openapi.json'].map((path) => sandbox.basePath + path);
  const servePages = createPagesListener(panelFolder);
  const serveSandbox = fetchToNodeListener(async (request) => {
    const { hostname, pathname } = new URL(request.url);
    const isGuarded = guarded.some((path) => pathname.startsWith(path));
    return isGuarded && !acceptHost(hostname) ? refuse(otherHost) : sandbox.fetch(request);
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
    // The Fetch standard has no request for these methods, so that the sandbox cannot be asked.
    if (['TRACE', 'TRACK'].includes(method)) {
      request.method = 'GET';
      return refuseTrace(request, response);
    }
    return serveSandbox(request, response);
  };
}

/** What is served of the folder of built pages; undefined for what belongs to no page. */
function pageFile(path: string, basePath: string): string | undefined {
  const [panelPath, payPath] = ['panel', 'pay'].map((page) => `${basePath}/_sandbox/${page}`) as [
    string,
    string,
  ];
  if (path.startsWith(`${panelPath}/`)) return path.slice(panelPath.length);
  if (path.startsWith(`${payPath}/assets/`)) return path.slice(payPath.length);
  // What the page asks of the sandbox is a segment longer.
  return path.startsWith(`${payPath}/`) && /^[^/]+$/.test(path.slice(payPath.length + 1))
    ? '/pay.html'
    : undefined;
}

const noTrace = new SandboxError(
  'method_not_allowed',
  'TRACE is not possible here; use the methods of the interface.',
  {
    headers: { allow: 'GET, HEAD, POST, PUT, OPTIONS' },
  },
);

const otherHost = new SandboxError(
  'cross_site_refused',
  'Control calls and the panel answer under the names of this machine only; call them at localhost, or set publicUrl to the address that they are called at.',
);

function wantsPage({ method = 'GET', headers }: IncomingMessage): boolean {
  return ['GET', 'HEAD'].includes(method) && (headers.accept ?? '').includes('text/html');
}

function createPagesListener(folder: string): NodeListener {
  const isBuilt = existsSync(join(folder, 'index.html'));
  const serveFile = isBuilt ? sirv(folder, { etag: true }) : undefined;
  return (request, response) => {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    if (!['GET', 'HEAD'].includes(request.method ?? 'GET')) {
      response.setHeader('allow', 'GET, HEAD');
      return sendText(response, 405, 'This page is read with GET.');
    }
    if (serveFile === undefined) {
      return sendText(
        response,
        404,
        `The control panel and the payment page are not built: nothing is in ${folder}.`,
      );
    }
    serveFile(request, response, () => sendText(response, 404, 'There is no such file.'));
  };
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

/** By the package's own name, so that it is found from the built file and from a copy inside of somebody's bundle. */
function packagedPanel(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('transfer-checkout/package.json');
    return join(dirname(manifest), 'dist/panel');
  } catch {
    // A bundle that was moved away from the package: whoever opens the panel is told where it was looked for.
    return fileURLToPath(new URL('panel', import.meta.url));
  }
}
