import { Fragment, type JSX } from 'preact';
import { canBeSent, isElsewhere, isExpiredPart, type Messages, type State } from '../../model/index.ts';
import { type CheckoutContext, useCheckout } from '../hooks/use-checkout.ts';

type Step = { readonly label: keyof Messages; readonly act: () => void; readonly isMain: boolean };

/** The buttons of a screen. An expired payment first offers to say that the money is sent. */
export function NextSteps({ state }: { state: State }): JSX.Element {
  const { model, speech, timers } = useCheckout();
  const { text } = speech.value;
  const isExpired = state.name === 'expired' && canBeSent(state);
  const payAt = 'payment' in state ? state.payment.authorizationUrl : undefined;
  return (
    <>
      {payAt && (
        <a class="main" part="button" href={payAt} data-action="toPayment">
          {text('toPayment')}
        </a>
      )}
      {stepsOf(state, model, timers.isKept.value).map(({ label, act, isMain }) => (
        <Fragment key={label}>
          {isExpired && !isMain && <p>{text('expiredElse')}</p>}
          <button
            type="button"
            class={isMain ? 'main' : ''}
            part={isMain ? 'button' : undefined}
            data-action={label === 'sentRest' ? 'sent' : label}
            onClick={act}
          >
            {text(label)}
          </button>
        </Fragment>
      ))}
    </>
  );
}

function stepsOf(state: State, model: CheckoutContext['model'], isKept: boolean): Step[] {
  const restart = (label: Step['label'], isMain = true): Step => ({ label, act: model.restart, isMain });
  if (state.name === 'expired') {
    if (!canBeSent(state)) return [restart('currentAccount')];
    if (isExpiredPart(state)) return [{ label: 'sentRest', act: model.saySent, isMain: true }];
    // A kept payment means that the server had no other account to offer.
    const next = restart(isKept ? 'tryAgain' : 'newAccount', false);
    return [{ label: 'sent', act: model.saySent, isMain: true }, next];
  }
  if (isClaimed(state)) return [{ label: 'notSent', act: model.sayNotSent, isMain: false }];
  const isOver =
    (state.name === 'unavailable' && !isElsewhere(state)) ||
    (state.name === 'failed' && state.payment.outcome === 'failed');
  return isOver ? [restart('tryAgain')] : [];
}

const isClaimed = (state: State): boolean => state.name === 'checking' && state.because === 'sent';
