import { Fragment, type JSX } from 'preact';
import {
  canClaimTransfer,
  isExpiredPartlyPaid,
  isPaymentUnknown,
  type Messages,
  type State,
  type StateDetails,
  stateDetailsOf,
  uncertaintyOf,
} from '../../model/index.ts';
import { type CheckoutContext, useCheckout } from '../hooks/use-checkout.ts';

type Step = { readonly label: keyof Messages; readonly act: () => void; readonly isMain: boolean };

/** The buttons of a screen. An expired payment first offers to say that the money is sent. */
export function NextSteps({ state }: { state: State }): JSX.Element {
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
      {stepsOf(state, model, stateDetailsOf(viewState)).map(({ label, act, isMain }) => (
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

function stepsOf(
  state: State,
  model: CheckoutContext['model'],
  { isLoadingLong, isKept }: StateDetails,
): Step[] {
  const restart = (label: Step['label'], isMain = true): Step => ({ label, act: model.restart, isMain });
  if (state.name === 'expired') {
    if (!canClaimTransfer(state)) return [restart('currentAccount')];
    if (isExpiredPartlyPaid(state)) return [{ label: 'sentRest', act: model.claimTransfer, isMain: true }];
    // A kept payment means that the server had no other account to offer.
    const next = restart(isKept ? 'tryAgain' : 'newAccount', false);
    return [{ label: 'sent', act: model.claimTransfer, isMain: true }, next];
  }
  // Money of test mode is not real, so another account can take none.
  if (state.name === 'checking' && uncertaintyOf(state) === 'notFound')
    return state.payment.liveMode ? [] : [restart('newAccount')];
  if (isClaimed(state)) return [{ label: 'notSent', act: model.withdrawClaim, isMain: false }];
  const isOver =
    isLoadingLong ||
    (state.name === 'unavailable' && !isPaymentUnknown(state)) ||
    (state.name === 'failed' && state.payment.outcome === 'failed');
  return isOver ? [restart('tryAgain')] : [];
}

const isClaimed = (state: State): boolean => state.name === 'checking' && state.reason === 'sent';
