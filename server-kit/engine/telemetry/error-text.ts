import { escapeControls } from '../../core/errors.ts';

/** Escapes the control characters of a text, or of the texts in a list. */
export function escapeTexts(value: unknown): unknown {
  if (typeof value === 'string') return escapeControls(value);
  return Array.isArray(value) ? value.map(escapeTexts) : value;
}

/** Longer chains of causes are cut. */
export const maxCauses = 5;

/**
 * Returns an error as text for people: its stack, with the message on one line, its code and its causes. What is not an error
 * comes back itself, with the control characters of a text escaped.
 */
export function errorText(error: unknown, causes = maxCauses): unknown {
  if (typeof error === 'string') return escapeControls(error);
  if (!(error instanceof Error)) return error;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const lines = [stackOf(error)];
  if (typeof code === 'string') lines.push(`  Code: ${escapeControls(code)}`);
  if (cause !== undefined && causes > 0) {
    lines.push(`  Caused by: ${textOf(errorText(cause, causes - 1))}`);
  }
  return lines.join('\n');
}

/**
 * Returns the stack. Only its own line ends stay: a message could otherwise fake a line of the log. Foreign code may have put
 * anything into these fields.
 */
export function stackOf({ message, stack }: { message: unknown; stack?: unknown }): string {
  if (typeof message !== 'string' || typeof stack !== 'string')
    return `Error: ${escapeControls(textOf(message))}`;
  const at = stack.indexOf(message);
  if (at === -1) return escapeControls(stack);
  const end = at + message.length;
  return escapeControls(stack.slice(0, end)) + stack.slice(end).split('\n').map(escapeControls).join('\n');
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'an object' : String(value);

/** Describes why `fetch` failed. The reason is in its cause, which has only a code when several addresses were tried. */
export function describeFetchFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || String((cause as { code?: unknown }).code ?? error.message);
}
