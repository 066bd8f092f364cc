import * as v from 'valibot';

/** The sandbox refused a call; the message is the sandbox's. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** The fields at fault. */
  readonly params: readonly string[];

  constructor(message: string, params: readonly string[] = []) {
    super(message);
    this.params = params;
  }
}

const Refusal = v.object({
  error: v.object({ message: v.string(), params: v.optional(v.array(v.string()), []) }),
});

/** The panel and the sandbox are built together, so only the form of a response is checked. */
const AnyRecord = v.looseObject({});
const AnyList = v.object({ data: v.array(AnyRecord) });

export type ControlTransportOptions = {
  /** The base URL of the control calls: `http://localhost:4242/service/_sandbox`. */
  controlUrl: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

const timeoutMs = 10_000;

/**
 * Creates the functions that send control calls. They reject with `RefusedError`, with `ValiError` for an unexpected
 * response, or with the failure of `fetch`.
 */
export function createControlTransport({
  controlUrl,
  fetch = (...of) => globalThis.fetch(...of),
}: ControlTransportOptions) {
  async function send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<string> {
    const response = await fetch(controlUrl + path, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return text;
    const { message, params } = v.parse(Refusal, JSON.parse(text)).error;
    throw new RefusedError(message, params);
  }

  /** Returns the same object while the response is the same, so that nothing is rendered again. */
  function reader<Result extends object>(path: string, schema: v.GenericSchema = AnyRecord) {
    let lastText: string | undefined;
    let last: Result;
    return async (): Promise<Result> => {
      const text = await send('GET', path);
      if (text !== lastText) {
        last = v.parse(schema, JSON.parse(text)) as Result;
        lastText = text;
      }
      return last;
    };
  }

  function lister<Result extends object>(path: string) {
    const read = reader<{ data: readonly Result[] }>(path, AnyList);
    return async (): Promise<readonly Result[]> => (await read()).data;
  }

  return {
    reader,
    lister,
    post: async <Result extends object>(path: string, body: object = {}): Promise<Result> =>
      v.parse(AnyRecord, JSON.parse(await send('POST', path, body))) as Result,
    remove: async (path: string): Promise<void> => void (await send('DELETE', path)),
  };
}
