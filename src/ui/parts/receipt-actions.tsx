import type { JSX } from 'preact';
import {
  directionOf,
  loadPart,
  type Messages,
  type PaymentView,
  receiptLines,
  referenceOf,
  type Speech,
} from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import type { Paper } from '../lazy/receipt.ts';
import { CopyLink } from './copy-button.tsx';
import { LinkIcon } from './icon.tsx';
import { setNote } from './links.tsx';

export const importReceipt = () => import('../lazy/receipt.ts');

/** Prints, saves and shares a receipt. What does it is loaded when it is asked for. */
export function ReceiptActions({ payment }: { payment: PaymentView }): JSX.Element {
  const context = useCheckout();
  const speech = context.speech.value;
  const paper = paperOf(payment, speech, context.settings.value.merchantName);
  const act = (name: 'print' | 'save') => async (): Promise<void> => {
    let isCertain = false;
    try {
      const { printPaper, savePaper } = await loadPart('receipt', importReceipt);
      isCertain = await (name === 'print' ? printPaper : savePaper)(paper);
    } catch {
      // No network, or a frame that may do nothing. The note says what else to do; the button can be pressed again.
    }
    setNote(context, isCertain ? undefined : speech.text('receiptFailed'));
  };
  const value = [
    [paper.title, paper.shop].filter(Boolean).join(' – '),
    ...paper.lines.map((line) => line.join(': ')),
  ].join('\n');
  return (
    <>
      {(['print', 'save'] as const).map((name) => (
        <button key={name} type="button" part="link" data-action={name} onClick={act(name)}>
          <LinkIcon name={name} />
          {speech.text(name)}
        </button>
      ))}
      <CopyLink
        field="receipt"
        value={value}
        action="share"
        label="share"
        icon="share"
        data={{ title: paper.title, text: value }}
      />
    </>
  );
}

function paperOf(payment: PaymentView, speech: Speech, merchantName = ''): Paper {
  const label = (key: keyof Messages): string => speech.text(key);
  return {
    title: label('receipt'),
    shop: merchantName,
    lines: receiptLines(payment, speech).map(([key, value]) => [label(key), value] as const),
    fileName: `${referenceOf(payment).replace(/[^\w-]/g, '_')}.html`,
    lang: speech.locale,
    dir: directionOf(speech.locale),
  };
}
