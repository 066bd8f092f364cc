/** The pages show content of requests, which must never run. The URL of a payment page is secret and sent to no other site. */
export const pageHeaders: Readonly<Record<string, string>> = {
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

/** Returns the file in the pages' folder for a path; `undefined` for a path of no page. */
export function pageFile(path: string, basePath: string): string | undefined {
  const panelPath = `${basePath}/_sandbox/panel`;
  const payPath = `${basePath}/_sandbox/pay`;
  if (path.startsWith(`${panelPath}/`)) return path.slice(panelPath.length);
  if (path.startsWith(`${payPath}/assets/`)) return path.slice(payPath.length);
  // The page's own requests to the sandbox are one segment longer.
  return path.startsWith(`${payPath}/`) && /^[^/]+$/.test(path.slice(payPath.length + 1))
    ? '/pay.html'
    : undefined;
}
