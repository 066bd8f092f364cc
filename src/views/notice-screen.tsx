import type { JSX } from 'preact';
import { type CheckoutModel, formatMoney, type State, type Words, wordsOf } from '../model/index.ts';
import { ConnectionLine } from './connection-line.tsx';

type Props = { model: CheckoutModel; state: State };

const icons: Record<Words['tone'], string> = {
  busy: '',
  good: 'm7 12 4 4 7-8',
  warning: 'M12 6v7m0 4v.1',
  bad: 'm8 8 8 8m0-8-8 8',
};

/** What has happened, in a few words, and the way on. */
export function NoticeScreen({ model, state }: Props): JSX.Element {
  const { text, returnUrl } = model;
  const { title, leads, tone } = wordsOf(state, text);
  const again = wayOn(state);
  return (
    <div class="notice">
      <svg class={`icon ${tone}`} viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="11" />
        <path d={icons[tone]} />
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
      {'connection' in state && <ConnectionLine model={model} connection={state.connection} />}
      {again && (
        <button
          type="button"
          class="main"
          part="button"
          onClick={(event) => {
            // The button goes with its screen; the focus must not.
            event.currentTarget.closest<HTMLElement>('.card')?.focus();
            model.restart();
          }}
        >
          {text(again)}
        </button>
      )}
      {returnUrl && state.name !== 'loading' && state.name !== 'confirming' && (
        <a class={again ? 'quiet' : 'main'} part="link" href={returnUrl}>
          {text('backToShop')}
        </a>
      )}
    </div>
  );
}

function wayOn(state: State): 'newAccount' | 'tryAgain' | undefined {
  if (state.name === 'expired') return 'newAccount';
  if (state.name === 'unavailable') return 'tryAgain';
  return state.name === 'failed' && state.payment.outcome === 'failed' ? 'tryAgain' : undefined;
}
