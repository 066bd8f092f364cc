import type { PlainRequest } from '../http/plain-http.ts';
import type { Log } from '../telemetry/log.ts';

export type MountPathOptions = { publicUrl: URL; callbackUrl: string; log: Log };

/** Notes the path at which the pages reach the checkout. */
export type NoteMountPath = (request: PlainRequest) => void;

/**
 * Creates a check that logs once when the pages reach the checkout at another path than the callbacks are sent to. A proxy
 * may have removed the first segments of the path, so the end of the callback's path is right too.
 */
export function createMountCheck({ publicUrl, callbackUrl, log }: MountPathOptions): NoteMountPath {
  const expected = mountPathOf(new URL(callbackUrl).pathname);
  const prefix = publicUrl.pathname.replace(/\/+$/, '');
  let isLogged = false;
  return ({ url, removedPath = '' }) => {
    const mountPath = mountPathOf(removedPath + url.pathname);
    if (isLogged || expected.endsWith(mountPath)) return;
    isLogged = true;
    const basePath = mountPath.startsWith(`${prefix}/`) ? mountPath.slice(prefix.length) : mountPath;
    log({
      type: 'basePathDiffers',
      mountPath,
      callbackUrl,
      message: `Pages reach the checkout at ${mountPath}, but callbacks are sent to ${callbackUrl}. Set basePath: '${basePath}', unless a proxy rewrites the path.`,
    });
  };
}

/** Removes the last segment: the route. */
const mountPathOf = (pathname: string): string => pathname.replace(/\/[^/]*\/?$/, '');
