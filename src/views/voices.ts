import { formatDuration, spokenStep } from '../model/more.ts';
import { spokenConnection } from './connection-line.tsx';
import type { Screen } from './screen.ts';

/**
 * What is spoken beside the state: the connection, what was copied, the time left. Each changes seldom, and is spoken
 * when it does.
 */
export function voicesOf(screen: Screen): readonly (string | undefined)[] {
  const { model, copied, more } = screen;
  const { text } = model;
  const remainingMs = more?.later.remainingMs.value;
  return [
    spokenConnection(screen),
    // A second copy of the same is told by a space that nobody hears.
    copied &&
      `${text(copied.field)}: ${text(copied.worked ? 'copied' : 'pressToCopy')}${copied.times % 2 ? '' : '\u00a0'}`,
    remainingMs
      ? text('spokenTimeLeft', { time: formatDuration(spokenStep(remainingMs), model) })
      : undefined,
  ];
}
