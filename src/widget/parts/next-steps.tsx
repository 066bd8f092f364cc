import { Fragment, type JSX } from 'preact';
import { canClaimTransfer, isClaimed, type State } from '../../core/state.ts';
import type { Messages } from '../../i18n/messages.ts';
import { type CheckoutContext, useCheckout } from '../context.tsx';
import type { StateDetails } from '../description/explanation.ts';
import {
  isExpiredPartlyPaid,
  isHelpNeeded,
  isPaymentUnknown,
  uncertaintyOf,
} from '../description/payment-facts.ts';
import { HelpLink } from './links.tsx';
import { Text } from './text.tsx';

type Step = {
  readonly label: keyof Messages;
  readonly act: () => void;
  readonly isMain: boolean;
  readonly lead?: keyof Messages;
};

/** The buttons of a screen. Paying again is a quiet button, and only for shoppers who have not sent anything. */
export function NextSteps({ state }: { state: State }): JSX.Element {
  const { model, translator, viewState } = useCheckout();
  const { text } = translator.value;
  const payAt = 'payment' in state ? state.payment.authorizationUrl : undefined;
  return (
    <>
      {payAt && (
        <a class="main" part="button" href={payAt} data-action="toPayment">
          <Text>{text('toPayment')}</Text>
        </a>
      )}
      {isHelpNeeded(state) && <HelpLink isMain />}
      {stepsOf(state, model, viewState.details.value).map(({ label, act, isMain, lead }) => (
        <Fragment key={label}>
          {lead && <Text as="p">{text(lead)}</Text>}
          <button
            type="button"
            class={isMain ? 'main' : ''}
            part="button"
            data-action={label === 'sentRest' ? 'sent' : label}
            onClick={act}
          >
            <Text>{text(label)}</Text>
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
  const restart = (label: Step['label']): Step => ({ label, act: model.restart, isMain: true });
  const payAgain = (label: Step['label']): Step => ({
    ...restart(label),
    isMain: false,
    lead: 'expiredElse',
  });
  if (state.name === 'expired') {
    if (!canClaimTransfer(state)) return [restart('currentAccount')];
    if (isExpiredPartlyPaid(state)) return [{ label: 'sentRest', act: model.claimTransfer, isMain: true }];
    // A kept payment means that the server had no other account to offer.
    const next = payAgain(isKept ? 'tryAgain' : 'newAccount');
    return [{ label: 'sent', act: model.claimTransfer, isMain: true }, next];
  }
  // Money of test mode is not real, so another account can take none.
  if (state.name === 'checking' && uncertaintyOf(state) === 'notFound')
    return state.payment.liveMode ? [] : [restart('newAccount')];
  if (isClaimed(state)) return [{ label: 'notSent', act: model.withdrawClaim, isMain: false }];
  if (state.name === 'failed' && state.payment.outcome === 'failed') return [payAgain('tryAgain')];
  const isStuck = isLoadingLong || (state.name === 'unavailable' && !isPaymentUnknown(state));
  return isStuck ? [restart('tryAgain')] : [];
}
