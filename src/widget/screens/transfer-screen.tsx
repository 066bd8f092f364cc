import type { JSX, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useCheckout, useIsPainted } from '../context.tsx';
import { explanationOf } from '../description/explanation.ts';
import { type PayableState, payableView } from '../description/payment-facts.ts';
import { accountAsText } from '../description/plain-text.ts';
import { connectionStatus } from '../description/status.ts';
import { messageValues } from '../description/title.ts';
import { ConnectionLine } from '../parts/connection-line.tsx';
import { TimeLeft } from '../parts/countdown.tsx';
import { PaymentDetails, ReferenceLine } from '../parts/details.tsx';
import { BackLink, Links } from '../parts/links.tsx';
import { fitsQrCode, QrCode } from '../parts/qr-code.tsx';
import { CopyLink } from '../parts/row.tsx';
import { Text } from '../parts/text.tsx';
import { UssdCodes } from '../parts/ussd-codes.tsx';

/** The account to pay into. Until the payment ends, nothing above the connection's status moves. */
export function TransferScreen({ state }: { state: PayableState }): JSX.Element {
  const { model, translator, viewState } = useCheckout();
  const isTimeUp = viewState.timeLeft.isTimeUp.value;
  const isPainted = useIsPainted();
  const details = useRef<HTMLDListElement>(null);
  const lead = explanationOf(state, translator.value).join(' ');
  return (
    <>
      <PaymentDetails payment={state.payment} isPast={isTimeUp} list={details} />
      <div class="lead">
        {state.name === 'partlyPaid' && <PaidSoFar state={state} />}
        {lead && !isTimeUp && (
          <Text as="p" dir="auto">
            {lead}
          </Text>
        )}
      </div>
      <TimeLeft payment={state.payment} hasDeadline={isPainted} />
      <div class="actions">
        <button type="button" part="button" data-action="sent" onClick={model.claimTransfer}>
          <Text>{translator.value.text(state.name === 'partlyPaid' ? 'sentRest' : 'sent')}</Text>
        </button>
      </div>
      <ConnectionLine />
      <Links>
        {/* The spacer keeps the layout, so that nothing moves under a finger. */}
        {isTimeUp || !isPainted ? <span class="spacer" /> : <WaysToPay state={state} shown={details} />}
        <BackLink />
      </Links>
      {/* The lost connection shows it above, to be copied. */}
      {connectionStatus(state, isTimeUp) !== 'lost' && <ReferenceLine />}
    </>
  );
}

function PaidSoFar({ state }: { readonly state: PayableState }): JSX.Element {
  const translator = useCheckout().translator.value;
  const { amount, chargedAmount } = state.payment;
  return (
    <>
      <Text as="p" id="paid-so-far">
        {translator.text('paidSoFar', messageValues(state, translator))}
      </Text>
      <progress part="paid" max={amount.value} value={chargedAmount} aria-labelledby="paid-so-far" />
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
      {fitsQrCode(shared) && <QrCode key={shared} content={shared} />}
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
