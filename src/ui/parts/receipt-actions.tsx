import type { JSX } from 'preact';
import {
  directionOf,
  loadLazyPart,
  type Messages,
  type PaymentView,
  receiptLines,
  referenceOf,
  type Translator,
} from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import type { Paper } from '../lazy/receipt.ts';
import { CopyLink } from './copy-button.tsx';
import { setNote } from './help-links.tsx';
import { LinkIcon } from './icon.tsx';

export const importReceipt = () => import('../lazy/receipt.ts');

/** Prints, saves and shares a receipt. What does it is loaded when it is asked for. */
export function ReceiptActions({ payment }: { payment: PaymentView }): JSX.Element {
  const context = useCheckout();
  const translator = context.translator.value;
  const paper = paperOf(payment, translator, context.settings.value.merchantName);
  const act = (name: 'print' | 'save') => async (): Promise<void> => {
    let isCertain = false;
    try {
      const { printPaper, savePaper } = await loadLazyPart('receipt', importReceipt);
      isCertain = await (name === 'print' ? printPaper : savePaper)(paper);
    } catch {
      // No network, or a frame that may do nothing. The note says what else to do; the button can be pressed again.
    }
    setNote(context, isCertain ? undefined : translator.text('receiptFailed'));
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
          {translator.text(name)}
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

function paperOf(payment: PaymentView, translator: Translator, merchantName = ''): Paper {
  const label = (key: keyof Messages): string => translator.text(key);
  return {
    title: label('receipt'),
    shop: merchantName,
    lines: receiptLines(payment, translator).map(([key, value]) => [label(key), value] as const),
    fileName: `${referenceOf(payment).replace(/[^\w-]/g, '_')}.html`,
    lang: translator.locale,
    dir: directionOf(translator.locale),
  };
}
