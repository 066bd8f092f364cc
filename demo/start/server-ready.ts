import type { WorkerMessage } from '../hosted/worker.ts';

/**
 * Resolves when the shop's routes can be called: at once where a server has them, and after the start of the service worker
 * in the hosted demo.
 *
 * @throws {Error} if this browser cannot run the hosted demo; the message is for people
 */
export async function serverReady(): Promise<void> {
  if (!import.meta.env.HOSTED) return;
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (serviceWorker === undefined) throw new Error(unsupported());
  await register(serviceWorker);
  await untilControlled(serviceWorker);
  send(serviceWorker, { type: 'keep', urls: loadedFiles() });
}

const unsupported = (): string =>
  isSecureContext
    ? 'The demo runs its server in a service worker, which this browser does not offer here. Leave private browsing, or use another browser.'
    : 'The demo runs its server in a service worker, which browsers allow only over https. Open this page over https.';

async function register(serviceWorker: ServiceWorkerContainer): Promise<void> {
  try {
    await serviceWorker.register(scriptUrl('worker.js'));
  } catch (cause) {
    throw new Error(
      'The demo could not start its server. Check your connection, and that the browser lets this site store data; then reload the page.',
      { cause },
    );
  }
}

/** The pages require trusted types, which cover the address of a worker. */
function scriptUrl(path: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: {
      createPolicy: (name: string, rules: object) => { createScriptURL: (url: string) => string };
    };
  };
  const policy = trustedTypes?.createPolicy('demo-worker', { createScriptURL: (url: string) => url });
  return policy?.createScriptURL(path) ?? path;
}

/** A page that was loaded before the worker ran, or past it by a forced reload, is not under its control yet. */
async function untilControlled(serviceWorker: ServiceWorkerContainer): Promise<void> {
  if (serviceWorker.controller !== null) return;
  const controlled = new Promise<void>((resolve) =>
    serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true }),
  );
  const { active } = await serviceWorker.ready;
  active?.postMessage({ type: 'claim' } satisfies WorkerMessage);
  await controlled;
}

const send = ({ controller }: ServiceWorkerContainer, message: WorkerMessage): void =>
  controller?.postMessage(message);

function loadedFiles(): string[] {
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  return [location.href, ...files].map((url) => url.replace(/[?#].*/, ''));
}
