import { formatDuration, spokenStep } from '../model/more.ts';
import type { Screen } from './screen.ts';

/** The time left, for a voice that speaks when it changes: seldom. */
export function spokenTimeLeft({ model, state, remainingMs }: Screen): string | undefined {
  const isCounting = state.name === 'awaitingTransfer' || state.name === 'partlyPaid';
  return isCounting && remainingMs
    ? model.text('spokenTimeLeft', { time: formatDuration(spokenStep(remainingMs), model.locale) })
    : undefined;
}
