import { Fragment, type JSX } from 'preact';
import {
  canClaimTransfer,
  isExpiredPartlyPaid,
  isPaymentUnknown,
  type Messages,
  type State,
} from '../../model/index.ts';
import { type CheckoutContext, useCheckout } from '../hooks/use-checkout.ts';

type Way = { readonly label: keyof Messages; readonly act: () => void; readonly isMain: boolean };

/** The buttons of a screen. Before anything new is offered, the shopper may say that the money is sent. */
export function WayOn({ state }: { state: State }): JSX.Element {
  const { model, translator, viewState } = useCheckout();
  const { text } = translator.value;
  const isExpired = state.name === 'expired' && canClaimTransfer(state);
  const payAt = 'payment' in state ? state.payment.authorizationUrl : undefined;
  return (
    <>
      {payAt && (
        <a class="main" part="button" href={payAt} data-action="toPayment">
          {text('toPayment')}
        </a>
      )}
      {waysOf(state, model, viewState.isKept.value).map(({ label, act, isMain }) => (
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

function waysOf(state: State, model: CheckoutContext['model'], isKept: boolean): Way[] {
  const ask = (label: Way['label'], isMain = true): Way => ({ label, act: model.restart, isMain });
  if (state.name === 'expired') {
    if (!canClaimTransfer(state)) return [ask('currentAccount')];
    if (isExpiredPartlyPaid(state)) return [{ label: 'sentRest', act: model.claimTransfer, isMain: true }];
    // There was none a moment ago.
    const next = ask(isKept ? 'tryAgain' : 'newAccount', false);
    return [{ label: 'sent', act: model.claimTransfer, isMain: true }, next];
  }
  if (isSaid(state)) return [{ label: 'notSent', act: model.withdrawClaim, isMain: false }];
  const isOver =
    (state.name === 'unavailable' && !isPaymentUnknown(state)) ||
    (state.name === 'failed' && state.payment.outcome === 'failed');
  return isOver ? [ask('tryAgain')] : [];
}

const isSaid = (state: State): boolean => state.name === 'checking' && state.reason === 'sent';
