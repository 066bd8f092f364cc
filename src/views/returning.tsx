import type { JSX } from 'preact';
import { formatDuration } from '../model/more.ts';
import type { Screen } from './screen.ts';

/** Says that the page goes back to the shop by itself, and lets the shopper stay. */
export function Returning({ model, more }: Screen): JSX.Element | null {
  const seconds = more?.later.returnInSeconds.value;
  if (seconds === undefined) return null;
  return (
    <div class="returning">
      <p>{model.text('returning', { time: formatDuration(seconds * 1000, model) })}</p>
      <button type="button" onClick={more?.later.stopReturning} data-action="stay">
        {model.text('stayHere')}
      </button>
    </div>
  );
}
