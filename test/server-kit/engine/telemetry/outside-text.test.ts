import { describe, expect, it } from 'vitest';
import { createLog, type OnLog } from '../../../../server-kit/engine/telemetry/log.ts';
import type { LogEntry, LogEvent } from '../../../../server-kit/engine/telemetry/log-event.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { silenceConsole } from '../../kit/silence-console.ts';

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));

/** C0, DEL, C1, separators, and what changes the direction of text. */
const controls = [
  ...[...range(0x00, 0x1f), ...range(0x7f, 0x9f), ...range(0x2028, 0x2029), '\u061c'],
  ...[...range(0x200e, 0x200f), ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)],
];
const anyControl = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Clears the screen, writes another line, and reverses it. */
const attack = '\u001b[2J\r\n[transfer-checkout] paid {}\u009b1m\u202e\u2028';

const entryOf = (event: LogEvent): LogEntry => {
  const entries: LogEntry[] = [];
  createLog((entry) => entries.push(entry))(event);
  return entries[0] ?? expect.unreachable();
};

it.each(controls.map((control) => [control.charCodeAt(0).toString(16).padStart(4, '0'), control]))(
  'a text from outside, in an entry has U+%s escaped',
  (hex, control) => {
    const entry = entryOf({ type: 'originRefused', origin: `a${control}b`, message: control });
    expect(entry).toMatchObject({ origin: `a\\u${hex}b`, message: `\\u${hex}` });
  },
);

it('what a stranger sends is escaped', async () => {
  const { post, log } = createNotifiedShop();
  await post({ origin: 'https://evil.example\u009b31m' });
  const refused = log.find(({ type }) => type === 'originRefused');
  expect(refused).toMatchObject({ origin: 'https://evil.example\\u009b31m' });
});

/** A failure whose texts come from outside, all along its chain of causes. */
function hostileError(): Error {
  const cause = new TypeError(`inner ${attack}`, { cause: `innermost ${attack}` });
  return Object.assign(new Error(`outer ${attack}`, { cause }), { code: attack });
}

describe('an error with text from outside', () => {
  it('is what was thrown, and becomes JSON without control characters', () => {
    const error = hostileError();
    const entry = entryOf({ type: 'storeFailed', error });
    expect(entry).toMatchObject({ error: expect.any(Error) });
    expect((entry as { error: unknown }).error).toBe(error);
    const visit = (value: unknown, name = ''): void => {
      if (typeof value === 'object' && value !== null)
        for (const [key, part] of Object.entries(value)) visit(part, key);
      else if (name === 'stack') expect(String(value)).not.toMatch(/[\u2028\u202e]|\n\[transfer/);
      else expect(String(value)).not.toMatch(anyControl);
    };
    const json: { error: { message: string } } = JSON.parse(JSON.stringify(entry));
    visit(json);
    expect(json.error.message).toMatch(/^outer \\u001b\[2J\\u000d\\u000a/);
    expect(JSON.stringify(json)).toContain('innermost');
  });

  const throwing =
    (error: unknown): OnLog =>
    () => {
      throw error;
    };
  it.each<[string, (error: unknown) => void]>([
    ['the log', (error) => createLog()({ type: 'storeFailed', error })],
    ['onLog itself', (error) => createLog(throwing(error))({ type: 'stopped' })],
  ])('is printed by %s in lines of its own stack only', async (_name, print) => {
    const spy = silenceConsole();
    print(hostileError());
    await Promise.resolve();
    const printed = spy.mock.calls.flat().map(String).join(' ');
    expect(printed).toContain('inner');
    const [, ...lines] = printed.split('\n');
    expect(printed.replaceAll('\n', '')).not.toMatch(anyControl);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatch(/^( {4}at | {2}Caused by: | {2}Code: )/);
  });
});
