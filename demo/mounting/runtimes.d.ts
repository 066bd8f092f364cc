/** The few types that the examples need of runtimes whose types are not installed here. */
declare const Bun: {
  serve: (options: {
    port: number;
    idleTimeout: number;
    routes: Record<string, (request: Request) => Promise<Response>>;
    fetch: (request: Request) => Response;
  }) => { stop: () => Promise<void> };
};

declare const Deno: {
  serve: (
    options: { port: number },
    handler: (request: Request) => Response | Promise<Response>,
  ) => { shutdown: () => Promise<void> };
  env: { get: (name: string) => string | undefined };
  addSignalListener: (signal: 'SIGTERM', handler: () => void) => void;
  exit: () => never;
};

declare type DurableObjectNamespace = { getByName: (name: string) => { fetch: typeof fetch } };

declare module 'cloudflare:workers' {
  export abstract class DurableObject {
    readonly ctx: { waitUntil: (work: Promise<unknown>) => void };
    fetch(request: Request): Promise<Response>;
  }
}
