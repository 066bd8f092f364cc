import type { PlainRequest } from '../../core/http.ts';
import type { Log } from '../telemetry/log.ts';

export type MountPathOptions = { publicUrl: URL; callbackUrl: string; log: Log };

/** No shop has a longer one. */
const maxShownPath = 300;

/**
 * Creates a check that warns when the pages reach the checkout at another path than the callbacks are sent to. A proxy may have
 * removed the first segments of the path, so the end of the callback's path is right too.
 *
 * Any shopper can send a request to another path. So the warnings end with the first request at the right one: callbacks arrive there too.
 */
export function createMountCheck(options: MountPathOptions) {
  const { publicUrl, callbackUrl, log } = options;
  const expected = mountPathOf(new URL(callbackUrl).pathname);
  const prefix = publicUrl.pathname.replace(/\/+$/, '');
  let isReached = false;
  return ({ url, removedPath = '' }: PlainRequest): void => {
    const path = mountPathOf(removedPath + url.pathname);
    const mountPath = path.slice(0, maxShownPath);
    isReached ||= expected.endsWith(path);
    if (isReached) return;
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
