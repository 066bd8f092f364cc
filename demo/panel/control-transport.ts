import * as v from 'valibot';

/** The sandbox has answered, and said no. The message is the sandbox's. */
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

export type ControlTransportOptions = {
  /** Where the control calls are: `http://localhost:4242/service/_sandbox`. */
  controlUrl: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

const timeoutMs = 10_000;

/**
 * Sends control calls, and checks what they answer. They reject with `RefusedError`, with `ValiError` for an answer that
 * cannot be read, or with whatever broke the call.
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

  /** Reads the same answer only once, so that nothing is drawn anew where nothing has changed. */
  function reader<Schema extends v.GenericSchema>(path: string, schema: Schema) {
    let lastText: string | undefined;
    let last: v.InferOutput<Schema>;
    return async (): Promise<v.InferOutput<Schema>> => {
      const text = await send('GET', path);
      if (text !== lastText) {
        last = v.parse(schema, JSON.parse(text));
        lastText = text;
      }
      return last;
    };
  }

  function lister<Schema extends v.GenericSchema>(path: string, schema: Schema) {
    const read = reader(path, v.object({ data: v.array(schema) }));
    return async (): Promise<v.InferOutput<Schema>[]> => (await read()).data;
  }

  return {
    reader,
    lister,
    post: async <Schema extends v.GenericSchema>(
      path: string,
      schema: Schema,
      body: object = {},
    ): Promise<v.InferOutput<Schema>> => v.parse(schema, JSON.parse(await send('POST', path, body))),
    remove: async (path: string): Promise<void> => void (await send('DELETE', path)),
  };
}
