import type { JSX } from 'preact';
import type { State } from '../../core/state.ts';

const clock = 'M12 6.5V12l3.5 2.5';
const tick = 'm7 12.5 3.5 3.5 6.5-7.5';
const exclamation = 'M12 6.5v6.5m0 4v.1';

/** The drawing inside the circle. States in progress have none. */
const paths: { readonly [Name in State['name']]?: string } = {
  checking: 'M11 15a4 4 0 1 0 0-8 4 4 0 0 0 0 8m3-1 3 3',
  succeeded: tick,
  expired: clock,
  receivedLate: tick,
  failed: 'm8.5 8.5 7 7m0-7-7 7',
  reversed: 'M16.5 16a4 4 0 0 0-4-5h-5m3-3-3 3 3 3',
  unavailable: exclamation,
};

export function Icon({ state }: { state: State }): JSX.Element | null {
  const path = state.name === 'checking' && state.reason === 'unclear' ? exclamation : paths[state.name];
  if (!path) return null;
  return (
    <svg class="icon" part="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="12" />
      <path d={path} />
    </svg>
  );
}

const linkPaths = {
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  done: 'm5 12.5 5 5 9-11',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14v.1M20 14v.1M17 17v.1M14 20v.1M20 20v.1',
  share: 'M12 15V3m-4 4 4-4 4 4M5 12v8h14v-8',
  print: 'M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z',
  phone: 'M7 2h10v20H7zM11 18h2',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.8-1.1 1.8m0 3v.1',
  back: 'M20 12H4m6-6-6 6 6 6',
};

export function LinkIcon({ name }: { name: keyof typeof linkPaths }): JSX.Element {
  return (
    <svg class={`glyph glyph-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={linkPaths[name]} />
    </svg>
  );
}
