import type { JSX } from 'preact';
import { formatDuration } from '../model/more.ts';
import type { Screen } from './screen.ts';

/** How fresh is what is on the screen, and what can be done about it. */
export function ConnectionHelp({ model, state, more }: Screen): JSX.Element | null {
  const { text, refresh } = model;
  if (state.isOffline) {
    const sinceMs = more?.later.sinceLookMs.value;
    return (
      <p>
        {sinceMs !== undefined && text('lastChecked', { time: formatDuration(sinceMs, model.locale) })}{' '}
        {'payment' in state && text('offlineLead')}
      </p>
    );
  }
  if (!('connection' in state) || state.connection === 'ok' || state.connection === 'retrying') return null;
  return (
    <>
      <p>{text('lostLead')}</p>
      <button type="button" onClick={refresh}>
        {text('checkAgain')}
      </button>
    </>
  );
}
