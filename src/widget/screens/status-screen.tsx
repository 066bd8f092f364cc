import { Fragment, type JSX } from 'preact';
import type { PaymentView } from '../../contract/index.ts';
import { canClaimTransfer, isClaimed, isPaid, type State } from '../../core/state.ts';
import { formatDuration } from '../../i18n/format-time.ts';
import type { Messages } from '../../i18n/messages.ts';
import { type CheckoutContext, useCheckout } from '../context.tsx';
import { descriptionOf, type StateDetails } from '../description/explanation.ts';
import {
  isExpiredPartlyPaid,
  isHelpNeeded,
  isPaymentUnknown,
  uncertaintyOf,
} from '../description/payment-facts.ts';
import { receiptAsText } from '../description/plain-text.ts';
import { ConnectionLine } from '../parts/connection-line.tsx';
import { ClosedDetails, PaymentDetails, ReceiptDetails, ReferenceLine } from '../parts/details.tsx';
import { LinkIcon } from '../parts/icon.tsx';
import { BackLink, HelpLink, Links } from '../parts/links.tsx';
import { CopyLink } from '../parts/row.tsx';
import { Text } from '../parts/text.tsx';

export function StatusScreen({ state }: { state: State }): JSX.Element {
  const { translator, viewState } = useCheckout();
  const paid = isPaid(state) ? state.payment : undefined;
  const leads = descriptionOf(state, translator.value, viewState.details.value);
  // A shopper who has to contact the shop reads the reason and the reference before the details.
  const isReceiptFirst = state.name === 'succeeded' && leads.length < 2;
  const isPending = state.name === 'confirming' || isClaimed(state);
  const isClosed = state.name === 'expired' || state.name === 'failed' || state.name === 'reversed';
  return (
    <>
      <div class={state.name === 'checking' ? `leads ${state.reason}` : 'leads'}>
        {leads.map((lead) => (
          // A merchant's custom text may run in another direction.
          <p key={lead} dir="auto">
            {lead}
          </p>
        ))}
      </div>
      {paid && isReceiptFirst ? <ReceiptDetails payment={paid} hasReference /> : <ReferenceLine />}
      <ConnectionLine />
      <div class="actions">
        <NextSteps state={state} />
        <ReturnNotice />
        {paid ? (
          <BackLink isMain />
        ) : (
          <Links>
            <BackLink />
          </Links>
        )}
      </div>
      {paid && (
        <>
          {!isReceiptFirst && <ReceiptDetails payment={paid} hasReference={false} />}
          <Links>
            <ReceiptActions payment={paid} />
          </Links>
        </>
      )}
      {isPending && <PaymentDetails payment={state.payment} isPast />}
      {isClosed && <ClosedDetails state={state} />}
    </>
  );
}

function ReturnNotice(): JSX.Element | null {
  const { translator, viewState } = useCheckout();
  const seconds = viewState.returnRedirect.returnInSeconds.value;
  if (seconds === undefined) return null;
  const { text } = translator.value;
  return (
    <div class="returning">
      <Text as="p">{text('returning', { time: formatDuration(seconds * 1000, translator.value) })}</Text>
      <button type="button" part="button" onClick={viewState.returnRedirect.cancelReturn} data-action="stay">
        <Text>{text('stayHere')}</Text>
      </button>
    </div>
  );
}

type Step = {
  readonly label: keyof Messages;
  readonly act: (() => void) | undefined;
  readonly isMain: boolean;
  readonly lead?: keyof Messages;
};

/** The buttons of a screen. Paying again is a quiet button, and only for shoppers who have not sent anything. */
function NextSteps({ state }: { state: State }): JSX.Element {
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

function ReceiptActions({ payment }: { payment: PaymentView }): JSX.Element {
  const { model, translator } = useCheckout();
  const { text } = translator.value;
  const value = receiptAsText(payment, translator.value, model.settings.value.merchantName);
  return (
    <>
      <button type="button" part="link" data-action="print" onClick={() => print()}>
        <LinkIcon name="print" />
        <Text>{text('print')}</Text>
      </button>
      <CopyLink field="receipt" value={value} label="share" data={{ title: text('receipt'), text: value }} />
    </>
  );
}
