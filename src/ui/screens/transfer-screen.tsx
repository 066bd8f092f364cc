import type { JSX } from 'preact';
import { accountAsText, laterLeadsOf, referenceOf, type ToPay, viewToPay } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { ConnectionLine } from '../parts/connection-line.tsx';
import { CopyLink } from '../parts/copy-button.tsx';
import { Links } from '../parts/links.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { TimeLeft } from '../parts/time-left.tsx';
import { Ussd } from '../parts/ussd-codes.tsx';

/**
 * Below the account: what has arrived, how long there is, what goes on, and what a shopper can do: say that the money is sent, take the
 * details elsewhere until the time is up, get help.
 */
export function TransferScreen({ state }: { state: ToPay }): JSX.Element {
  const { model, speech, isTimeUp } = useCheckout();
  const lead = laterLeadsOf(state, speech.value).join(' ');
  return (
    <>
      {lead && (
        <p class="lead" dir="auto">
          {lead}
        </p>
      )}
      <TimeLeft payment={state.payment} />
      <ConnectionLine />
      <div class="actions">
        <button type="button" part="button" data-action="sent" onClick={model.saySent}>
          {speech.value.text(state.name === 'partlyPaid' ? 'sentRest' : 'sent')}
        </button>
        <Links>
          {/* What was there leaves its room: nothing may move under a finger. */}
          {isTimeUp.value ? <span class="room" /> : <WaysToPay state={state} />}
        </Links>
      </div>
    </>
  );
}

/** What takes the details elsewhere: to a bank's app, to another device, to somebody else. */
function WaysToPay({ state: { payment } }: { state: ToPay }): JSX.Element {
  const { speech, settings } = useCheckout();
  const { payLink, shareDetails, merchantName, ussd } = settings.value;
  const toPay = viewToPay(payment);
  const details = accountAsText(toPay, speech.value);
  const told = payLink ?? details;
  const reference = `${speech.value.text('reference')}: ${referenceOf(payment)}`;
  const data = {
    ...(merchantName && { title: merchantName }),
    ...(payLink ? { url: payLink } : { text: details }),
  };
  return (
    <>
      <CopyLink
        field="details"
        value={`${details}\n${reference}`}
        action="copyAll"
        label="copyAll"
        icon="copy"
      />
      {/* Another code for another account: what is open must not hold an old one. */}
      <QrCode key={told} content={told} />
      {shareDetails && (
        <CopyLink field="askToPay" value={told} action="askToPay" label="askToPay" icon="share" data={data} />
      )}
      {ussd?.length ? <Ussd key={details} banks={ussd} payment={toPay} /> : null}
    </>
  );
}
