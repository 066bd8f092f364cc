import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { fetchToNodeListener, type NodeListener } from '../../node.ts';
import { answerError, toResponse } from '../http/responses.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import type { Sandbox } from '../index.ts';

export type SandboxListenerOptions = {
  /** Where the built control panel lies. Default: where the package has it. */
  panelFolder?: string;
};

/** The panel shows what requests held: nothing of that may ever run. */
const panelHeaders: Readonly<Record<string, string>> = {
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
 * Serves a sandbox with node:http: the service and its control calls, and at `{basePath}/_sandbox/panel/` the control
 * panel. A browser that asks for `/` or `{basePath}/` is sent to the panel.
 */
export function createSandboxListener(
  sandbox: Sandbox,
  { panelFolder = packagedPanel() }: SandboxListenerOptions = {},
): NodeListener {
  const panelPath = `${sandbox.basePath}/_sandbox/panel`;
  const entrances = ['/', sandbox.basePath, `${sandbox.basePath}/`];
  const servePanel = createPanelListener(panelFolder);
  const serveSandbox = fetchToNodeListener(sandbox.fetch);
  const refuseTrace = fetchToNodeListener(async () =>
    toResponse(answerError(noTrace), 'TRACE', sandbox.now()),
  );

  return (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const [path = '/'] = url.split('?');
    if (path === panelPath || (entrances.includes(path) && wantsPage(request))) {
      return void response.writeHead(302, { location: `${panelPath}/`, vary: 'accept' }).end();
    }
    if (path.startsWith(`${panelPath}/`)) {
      request.url = url.slice(panelPath.length);
      return servePanel(request, response);
    }
    // The Fetch standard has no request for these methods, so that the sandbox cannot be asked.
    if (['TRACE', 'TRACK'].includes(method)) {
      request.method = 'GET';
      return refuseTrace(request, response);
    }
    return serveSandbox(request, response);
  };
}

const noTrace = new SandboxError(
  'method_not_allowed',
  'TRACE is not possible here; use the methods of the interface.',
  {
    headers: { allow: 'GET, HEAD, POST, PUT, OPTIONS' },
  },
);

function wantsPage({ method = 'GET', headers }: IncomingMessage): boolean {
  return ['GET', 'HEAD'].includes(method) && (headers.accept ?? '').includes('text/html');
}

function createPanelListener(folder: string): NodeListener {
  const isBuilt = existsSync(join(folder, 'index.html'));
  const serveFile = isBuilt ? sirv(folder, { etag: true }) : undefined;
  return (request, response) => {
    for (const [name, value] of Object.entries(panelHeaders)) response.setHeader(name, value);
    if (!['GET', 'HEAD'].includes(request.method ?? 'GET')) {
      response.setHeader('allow', 'GET, HEAD');
      return sendText(response, 405, 'The panel is read with GET.');
    }
    if (serveFile === undefined) {
      return sendText(response, 404, `The control panel is not built: nothing is in ${folder}.`);
    }
    serveFile(request, response, () => sendText(response, 404, 'The panel has no such file.'));
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
