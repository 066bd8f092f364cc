export type TextProblem = 'tooLarge' | 'notUtf8';

type DecodeOptions = {
  maxBytes: number;
  /** Whether invalid UTF-8 is a problem; otherwise it becomes replacement characters. */
  isStrict: boolean;
  toError: (problem: TextProblem, cause?: unknown) => Error;
};

/** Decodes chunks of bytes as UTF-8 text. Throws the result of `toError`, or what the chunks throw. */
export async function decodeText(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, isStrict, toError }: DecodeOptions,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: isStrict });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw toError('notUtf8', cause);
    }
  };
  let text = '';
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxBytes) throw toError('tooLarge');
    text += decode(chunk);
  }
  return text + decode();
}

/**
 * Iterates over a stream until it ends or `signal` aborts. Uses a reader, because not every runtime can iterate a
 * ReadableStream.
 */
export async function* chunksOf(
  body: ReadableStream<Uint8Array> | null,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  signal?.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    // Lets the other side stop sending an unused body.
    reader.cancel().catch(() => {});
  }
}
