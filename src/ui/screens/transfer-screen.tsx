import type { JSX } from 'preact';
import { accountAsText, explanationOf, type PayableState, payableView } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { ConnectionLine } from '../parts/connection-line.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { PaymentDetails } from '../parts/details.tsx';
import { Links } from '../parts/links.tsx';
import { PaidSoFar } from '../parts/paid-so-far.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { TimeLeft } from '../parts/time-left.tsx';
import { UssdCodes } from '../parts/ussd-codes.tsx';

/** The account to pay into, the time left, the connection status, and the shopper's actions. */
export function TransferScreen({ state }: { state: PayableState }): JSX.Element {
  const { model, translator, isTimeUp } = useCheckout();
  const lead = explanationOf(state, translator.value).join(' ');
  return (
    <>
      {state.name === 'partlyPaid' && <PaidSoFar payment={state.payment} />}
      <PaymentDetails payment={state.payment} isPast={isTimeUp.value} />
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
          {isTimeUp.value ? <span class="spacer" /> : <WaysToPay state={state} />}
        </Links>
      </div>
    </>
  );
}

/** Takes the details elsewhere: to a bank's app, another device, or another payer. */
function WaysToPay({ state: { payment } }: { state: PayableState }): JSX.Element {
  const { translator, settings } = useCheckout();
  const { payLink, shareDetails, merchantName, ussd } = settings.value;
  const toPay = payableView(payment);
  const details = accountAsText(toPay, translator.value);
  const shared = payLink ?? details;
  const data = {
    ...(merchantName && { title: merchantName }),
    ...(payLink ? { url: payLink } : { text: details }),
  };
  return (
    <>
      <CopyButton
        field="details"
        value={details}
        link={{ action: 'copyAll', label: 'copyAll', icon: 'copy' }}
      />
      {/* The keys close codes of another account. */}
      <QrCode key={shared} content={shared} />
      {shareDetails && (
        <CopyButton
          field="askToPay"
          value={shared}
          link={{ action: 'askToPay', label: 'askToPay', icon: 'share', data }}
        />
      )}
      {ussd?.length ? <UssdCodes key={details} banks={ussd} payment={toPay} /> : null}
    </>
  );
}
