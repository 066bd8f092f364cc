import type { JSX } from 'preact';
import { CopyAll } from './copy-all.tsx';
import { LeaveQuestion } from './leave-question.tsx';
import { Links } from './links.tsx';
import { QrCode } from './qr-code.tsx';
import type { TransferScreenProps } from './screen.ts';

/** What a shopper can do below the account: say that the money is sent, take the details elsewhere, get help. */
export function TransferActions(screen: TransferScreenProps): JSX.Element {
  const { model } = screen;
  return (
    <>
      <button type="button" part="button" data-action="sent" onClick={model.saySent}>
        {model.text('sent')}
      </button>
      <Links {...screen}>
        <CopyAll {...screen} />
        <QrCode {...screen} />
      </Links>
      <LeaveQuestion {...screen} />
    </>
  );
}
