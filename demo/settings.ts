/** What the demo reads from the environment. */
export type Settings = {
  port: number;
  /** The service to talk to, or `undefined` for the sandbox in this process. */
  service: { baseUrl: string; apiKey: string; apiSecret: string } | undefined;
};

/**
 * @throws {Error} saying which variable is wrong, and how to set it
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const port = Number(env.PORT ?? 4242);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`PORT is "${env.PORT}"; set it to a number from 0 (any free port) to 65535.`);
  }
  const { PAYMENTS_BASE_URL: baseUrl, PAYMENTS_API_KEY: apiKey, PAYMENTS_API_SECRET: apiSecret } = env;
  if (!baseUrl) return { port, service: undefined };
  if (!apiKey || !apiSecret) {
    throw new Error('PAYMENTS_BASE_URL is set; set PAYMENTS_API_KEY and PAYMENTS_API_SECRET as well.');
  }
  return { port, service: { baseUrl, apiKey, apiSecret } };
}
