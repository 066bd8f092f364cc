import type { JSX } from 'preact';
import { formatMoney, type State, wordsOf } from '../model/index.ts';
import { ConnectionLine } from './connection-line.tsx';
import type { Screen } from './screen.ts';

/** What has happened, in a few words, and the way on. */
export function Notice(screen: Screen): JSX.Element {
  const { model, state } = screen;
  const { text, returnUrl } = model;
  const { title, leads } = wordsOf(state, text);
  const again = wayOn(state);
  const isOver = state.name !== 'loading' && state.name !== 'confirming';
  return (
    <>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="11" />
        <path d={iconOf(state)} />
      </svg>
      <h2>{title}</h2>
      {(state.name === 'succeeded' || state.name === 'confirming') && (
        <p class="sum" data-field="amount">
          {formatMoney(state.payment.amount)}
        </p>
      )}
      {leads.map((lead) => (
        <p key={lead}>{lead}</p>
      ))}
      {'connection' in state && <ConnectionLine {...screen} connection={state.connection} />}
      {again && (
        <button
          type="button"
          class="main"
          part="button"
          onClick={({ currentTarget }) => {
            // The button goes with its screen; the focus must not.
            currentTarget.closest<HTMLElement>('.card')?.focus();
            model.restart();
          }}
        >
          {text(again)}
        </button>
      )}
      {returnUrl && isOver && (
        <a class={again ? '' : 'main'} part="link" href={returnUrl}>
          {text('backToShop')}
        </a>
      )}
    </>
  );
}

function wayOn(state: State): 'newAccount' | 'tryAgain' | undefined {
  if (state.name === 'expired') return 'newAccount';
  if (state.name === 'unavailable') return 'tryAgain';
  return state.name === 'failed' && state.payment.outcome === 'failed' ? 'tryAgain' : undefined;
}

/** A check mark, an exclamation mark, or nothing inside a turning circle. */
function iconOf({ name }: State): string {
  if (name === 'succeeded') return 'm7 12.5 3.5 3.5 6.5-7.5';
  return name === 'loading' || name === 'confirming' ? '' : 'M12 6.5v6.5m0 4v.1';
}
