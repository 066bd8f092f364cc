import type { JSX } from 'preact';
import { type PaymentView, toMajorUnits } from '../../contract/index.ts';
import type { UssdBank } from '../../options/options.ts';
import { useCheckout, useIsPainted } from '../context.tsx';
import { explanationOf, messageValues } from '../description/explanation.ts';
import { type PayableState, payableView } from '../description/payment-facts.ts';
import { accountAsText } from '../description/plain-text.ts';
import { ConnectionLine, connectionStatus } from '../parts/connection-line.tsx';
import { TimeLeft } from '../parts/countdown.tsx';
import { PaymentDetails, ReferenceLine } from '../parts/details.tsx';
import { LinkIcon } from '../parts/icon.tsx';
import { BackLink, Links } from '../parts/links.tsx';
import { fitsQrCode, QrCode } from '../parts/qr-code.tsx';
import { CopyLink } from '../parts/row.tsx';
import { notTranslated, Text } from '../parts/text.tsx';

/** The account to pay into. Until the payment ends, nothing above the connection's status moves. */
export function TransferScreen({ state }: { state: PayableState }): JSX.Element {
  const { model, translator, viewState } = useCheckout();
  const isTimeUp = viewState.timeLeft.isTimeUp.value;
  const isPainted = useIsPainted();
  const lead = explanationOf(state, translator.value).join(' ');
  return (
    <>
      <PaymentDetails payment={state.payment} isPast={isTimeUp} />
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
        {isTimeUp || !isPainted ? <span class="spacer" /> : <WaysToPay state={state} />}
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

function WaysToPay({ state: { payment } }: { readonly state: PayableState }): JSX.Element {
  const { translator, model } = useCheckout();
  const { payLink, shareDetails, merchantName, ussd } = model.settings.value;
  const toPay = payableView(payment);
  const details = accountAsText(toPay, translator.value);
  const shared = payLink ?? details;
  const code = payment.qrText ?? shared;
  const data = {
    ...(merchantName && { title: merchantName }),
    ...(payLink ? { url: payLink } : { text: details }),
  };
  return (
    <>
      <CopyLink field="details" value={details} label="copyAll" />
      {/* The keys close codes of another account. */}
      {fitsQrCode(code) && <QrCode key={code} content={code} isForPeople={code === details} />}
      {shareDetails && <CopyLink field="askToPay" value={shared} label="askToPay" data={data} />}
      {ussd?.length ? <UssdCodes key={details} banks={ussd} payment={toPay} /> : null}
    </>
  );
}

/** The USSD codes that the shopper's phone can dial. Not a lazy part: shoppers without mobile data use them. */
function UssdCodes({
  banks,
  payment,
}: {
  banks: readonly UssdBank[];
  payment: PaymentView;
}): JSX.Element | null {
  const { text } = useCheckout().translator.value;
  const codes = ussdCodes(banks, payment);
  if (!codes.length) return null;
  return (
    <details
      class="ussd"
      part="ussd"
      data-action="ussd"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) currentTarget.scrollIntoView({ block: 'nearest' });
      }}
    >
      <summary>
        <LinkIcon name="phone" />
        <Text>{text('ussd')}</Text>
      </summary>
      <div>
        <Text as="p">{text('ussdLead')}</Text>
        <ul {...notTranslated}>
          {codes.map(({ bank, code }) => (
            <li key={bank}>
              <a
                href={`tel:${encodeURIComponent(code)}`}
                part="link"
                aria-label={`${bank}: ${text('ussdDial', { code })}`}
              >
                <span dir="auto">{bank}</span> <bdi dir="ltr">{code}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

/** Returns the code to dial for each bank. Leaves out banks whose code cannot contain the amount's minor units or the account. */
function ussdCodes(
  banks: readonly UssdBank[],
  { amount, account }: PaymentView,
): readonly { readonly bank: string; readonly code: string }[] {
  const values: Record<string, string | undefined> = {
    '{amount}': /^(\d+)(\.0+)?$/.exec(toMajorUnits(amount))?.[1],
    '{account}': /^\d+$/.exec(account.number)?.[0],
  };
  return banks
    .map(({ bank, template }) => ({
      bank,
      code: template.replace(/{\w+}/g, (name) => values[name] ?? ' '),
    }))
    .filter(({ code }) => !code.includes(' '));
}
