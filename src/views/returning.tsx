import type { JSX } from 'preact';
import { formatDuration } from '../model/more.ts';
import type { Screen } from './screen.ts';

/** Says that the page goes back to the shop by itself, and lets the shopper stay. */
export function Returning({ speech, more, returnInSeconds }: Screen): JSX.Element | null {
  if (returnInSeconds === undefined) return null;
  return (
    <div class="returning">
      <p>{speech.text('returning', { time: formatDuration(returnInSeconds * 1000, speech) })}</p>
      <button type="button" onClick={more?.later.stopReturning} data-action="stay">
        {speech.text('stayHere')}
      </button>
    </div>
  );
}
