import type { JSX } from 'preact';
import { laterLeadsOf } from '../model/more.ts';
import { AskToPay } from './ask-to-pay.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { CopyAll } from './copy-all.tsx';
import { Links } from './links.tsx';
import { QrCode } from './qr-code.tsx';
import type { TransferScreenProps } from './screen.ts';
import { TimeLeft } from './time-left.tsx';
import { Ussd } from './ussd.tsx';

/**
 * Below the account: what has arrived, how long there is, what goes on, and what a shopper can do: say that the money is sent, take the
 * details elsewhere until the time is up, get help.
 */
export function TransferScreen(screen: TransferScreenProps): JSX.Element {
  const { model, speech, state } = screen;
  const lead = laterLeadsOf(state, speech).join(' ');
  return (
    <>
      {lead && (
        <p class="lead" dir="auto">
          {lead}
        </p>
      )}
      <TimeLeft {...screen} />
      <ConnectionLine {...screen} />
      <div class="actions">
        <button type="button" part="button" data-action="sent" onClick={model.saySent}>
          {speech.text(state.name === 'partlyPaid' ? 'sentRest' : 'sent')}
        </button>
        <Links {...screen}>
          {screen.remainingMs === 0 ? (
            // What was there leaves its room: nothing may move under a finger.
            <span class="room" />
          ) : (
            <>
              <CopyAll {...screen} />
              <QrCode {...screen} />
              <AskToPay {...screen} />
              <Ussd {...screen} />
            </>
          )}
        </Links>
      </div>
    </>
  );
}
