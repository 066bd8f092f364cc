import type { JSX } from 'preact';
import type { State } from '../model/index.ts';

const clock = 'M12 6.5V12l3.5 2.5';
const mark = 'M12 6.5v6.5m0 4v.1';

/** What is drawn inside the circle. Of what goes on, nothing: its circle turns. */
const paths: { readonly [Name in State['name']]: string } = {
  loading: '',
  awaitingTransfer: clock,
  checking: 'M11 14.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7m2.6-.9 3 3',
  partlyPaid: 'M12 5a7 7 0 0 1 0 14',
  confirming: '',
  succeeded: 'm7 12.5 3.5 3.5 6.5-7.5',
  expired: clock,
  receivedLate: 'm6 13 2.5 2.5L12 11m3-4v4h3',
  failed: 'm8.5 8.5 7 7m0-7-7 7',
  reversed: 'M16.5 16a4 4 0 0 0-4-5h-5m3-3-3 3 3 3',
  unavailable: mark,
};

export function Icon({ state }: { state: State }): JSX.Element {
  return (
    <svg class="icon" part="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="11" />
      <path d={state.name === 'checking' && state.because === 'unclear' ? mark : paths[state.name]} />
    </svg>
  );
}
