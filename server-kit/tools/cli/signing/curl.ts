export type CurlRequest = {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
};

/** Returns a command for a POSIX shell that sends the request. */
export function toCurl({ method, url, headers, body }: CurlRequest): string[] {
  const parts = [
    `curl -X ${method} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ];
  return parts.map(
    (part, index) => (index === 0 ? '' : '  ') + part + (index < parts.length - 1 ? ' \\' : ''),
  );
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
