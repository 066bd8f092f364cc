/** Moves user and password of a URL to an `Authorization: Basic` header (RFC 7617), because `fetch` refuses them in the URL. */
export function splitCredentials(text: string): { url: string; headers: Record<string, string> } {
  const url = new URL(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url: text, headers: {} };
  url.username = url.password = '';
  const bytes = new TextEncoder().encode(`${decode(username)}:${decode(password)}`);
  return { url: url.href, headers: { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` } };
}

/** A lone `%` stays as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
