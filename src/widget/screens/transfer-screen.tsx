import type { JSX, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { accountAsText } from '../description/account-text.ts';
import { explanationOf } from '../description/explanation.ts';
import { type PayableState, payableView } from '../description/payment-facts.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { ConnectionLine } from '../parts/connection-line.tsx';
import { CopyLink } from '../parts/copying.tsx';
import { PaymentDetails } from '../parts/details.tsx';
import { Links } from '../parts/links.tsx';
import { PaidSoFar } from '../parts/paid-so-far.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { TimeLeft } from '../parts/time-left.tsx';
import { UssdCodes } from '../parts/ussd-codes.tsx';

/** The account to pay into, the time left, the connection status, and the shopper's actions. */
export function TransferScreen({ state }: { state: PayableState }): JSX.Element {
  const { model, translator, viewState } = useCheckout();
  const isTimeUp = viewState.timeLeft.isTimeUp.value;
  const details = useRef<HTMLDListElement>(null);
  const lead = explanationOf(state, translator.value).join(' ');
  return (
    <>
      {state.name === 'partlyPaid' && <PaidSoFar payment={state.payment} />}
      <PaymentDetails payment={state.payment} isPast={isTimeUp} list={details} />
      {lead && (
        <p class="lead" dir="auto">
          {lead}
        </p>
      )}
      <TimeLeft payment={state.payment} />
      <ConnectionLine />
      <div class="actions">
        <button type="button" part="button" data-action="sent" onClick={model.claimTransfer}>
          {translator.value.text(state.name === 'partlyPaid' ? 'sentRest' : 'sent')}
        </button>
        <Links>
          {/* The spacer keeps the layout, so that nothing moves under a finger. */}
          {isTimeUp ? <span class="spacer" /> : <WaysToPay state={state} shown={details} />}
        </Links>
      </div>
    </>
  );
}

type WaysToPayProps = { readonly state: PayableState; readonly shown: RefObject<Element | null> };

/** Takes the details elsewhere: to a bank's app, another device, or another payer. */
function WaysToPay({ state: { payment }, shown }: WaysToPayProps): JSX.Element {
  const { translator, model } = useCheckout();
  const { payLink, shareDetails, merchantName, ussd } = model.settings.value;
  const toPay = payableView(payment);
  const details = accountAsText(toPay, translator.value);
  const shared = payLink ?? details;
  const data = {
    ...(merchantName && { title: merchantName }),
    ...(payLink ? { url: payLink } : { text: details }),
  };
  return (
    <>
      <CopyLink field="details" value={details} action="copyAll" label="copyAll" icon="copy" shown={shown} />
      {/* The keys close codes of another account. */}
      <QrCode key={shared} content={shared} />
      {shareDetails && (
        <CopyLink
          field="askToPay"
          value={shared}
          action="askToPay"
          label="askToPay"
          icon="share"
          shown={shown}
          data={data}
        />
      )}
      {ussd?.length ? <UssdCodes key={details} banks={ussd} payment={toPay} /> : null}
    </>
  );
}
