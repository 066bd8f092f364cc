/** Where the shop stores its payments. */
export type DatabaseSettings =
  | { kind: 'memory' }
  /** The `url` of `createSqliteStore`. */
  | { kind: 'sqlite'; url: string }
  | { kind: 'postgres'; connectionString: string };

/** The demo's settings from the environment. */
export type Settings = {
  /** The address to listen on. */
  host: string;
  port: number;
  /** The payments service, or `undefined` for the sandbox in this process. */
  service: { baseUrl: string; apiKey: string; apiSecret: string } | undefined;
  database: DatabaseSettings;
  /** The file of the sandbox's records, if any. */
  sandboxFile: string | undefined;
};

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings.
 *
 * @throws {Error} naming the invalid variable, and how to set it
 */
export function readSettings(env: Env): Settings {
  const database = readDatabase(env);
  return {
    // The keys of the sandbox are public, so other machines reach it only if they are allowed to.
    host: env.HOST || '127.0.0.1',
    port: readPort(env),
    service: readService(env),
    database,
    sandboxFile: env.SANDBOX_DATA || besides(database),
  };
}

function readPort({ PORT = '4242' }: Env): number {
  const port = Number(PORT);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`PORT is "${PORT}"; set it to a number from 0 (any free port) to 65535.`);
}

function readService({
  PAYMENTS_BASE_URL: baseUrl,
  PAYMENTS_API_KEY: apiKey,
  PAYMENTS_API_SECRET: apiSecret,
}: Env): Settings['service'] {
  if (!baseUrl) return undefined;
  if (apiKey && apiSecret) return { baseUrl, apiKey, apiSecret };
  throw new Error('PAYMENTS_BASE_URL is set; set PAYMENTS_API_KEY and PAYMENTS_API_SECRET as well.');
}

/** Messages quote only the scheme, because the rest may contain a password. */
function readDatabase({ DATABASE_URL: url }: Env): DatabaseSettings {
  if (!url) return { kind: 'memory' };
  if (/^file:./.test(url) && !url.includes(':memory:')) return { kind: 'sqlite', url };
  if (/^postgres(ql)?:\/\/./.test(url)) return { kind: 'postgres', connectionString: url };
  throw new Error(
    `DATABASE_URL ${beginningOf(url)}; set it to file:shop.db for SQLite, to postgres://user:password@host/database, or leave it out.`,
  );
}

function beginningOf(url: string): string {
  const [scheme] = /^[\w+.-]{1,20}:/.exec(url) ?? [];
  return scheme ? `begins with "${scheme}"` : 'has no scheme';
}

/** A shop that keeps its payments needs a sandbox that keeps them, too. */
function besides(database: DatabaseSettings): string | undefined {
  if (database.kind !== 'sqlite') return undefined;
  const [, path = ''] = /^file:(?:\/\/(?=\/))?([^?]+)/.exec(database.url) ?? [];
  return `${path}.sandbox.json`;
}
