import type { JSX } from 'preact';
import { accountAsText } from '../model/more.ts';
import { LinkIcon } from './icon.tsx';
import type { TransferScreenProps } from './screen.ts';
import { viewToPay } from './view-to-pay.ts';

/** The banks whose code the shopper's phone can dial. Where the merchant has given some; loaded when it is opened. */
export function Ussd({ speech, settings, state }: TransferScreenProps): JSX.Element[] {
  const { ussd: banks } = settings;
  const payment = viewToPay(state.payment);
  if (!banks?.length) return [];
  const open = async ({ currentTarget: details }: { currentTarget: HTMLDetailsElement }): Promise<void> => {
    if (!details.open) return;
    try {
      const { showUssdCodes } = await import('./ussd-codes.ts');
      showUssdCodes(details.lastElementChild as Element, { banks, payment, text: speech.text });
      details.scrollIntoView({ block: 'nearest' });
    } catch {
      // It can be opened again.
      details.open = false;
    }
  };
  // Another one for another amount: what is open must not hold an old one. In a list, because a key counts there.
  return [
    <details key={accountAsText(payment, speech)} class="ussd" part="ussd" data-action="ussd" onToggle={open}>
      <summary>
        <LinkIcon name="phone" />
        {speech.text('ussd')}
      </summary>
      <div />
    </details>,
  ];
}
