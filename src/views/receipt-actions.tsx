import type { JSX } from 'preact';
import { directionOf, type PaymentView, referenceOf } from '../model/index.ts';
import { receiptLines } from '../model/more.ts';
import { hasCopied, labelOfCopy } from './copy-button.tsx';
import { LinkIcon } from './icon.tsx';
import type { Paper } from './receipt-paper.ts';
import type { Screen } from './screen.ts';
import { shareText } from './share-text.ts';

/** Prints, saves and shares a receipt. What does it is loaded when it is asked for. */
export function ReceiptActions(screen: Screen & { payment: PaymentView }): JSX.Element {
  const { speech, settings, payment } = screen;
  const { text, locale } = speech;
  const lines = receiptLines(payment, speech).map(([key, value]) => [text(key), value] as const);
  const paper: Paper = {
    title: text('receipt'),
    shop: settings.merchantName ?? '',
    lines,
    fileName: `${referenceOf(payment).replace(/[^\w-]/g, '_')}.html`,
    lang: locale,
    dir: directionOf(locale),
  };
  const value = [
    [paper.title, paper.shop].filter(Boolean).join(' – '),
    ...lines.map((line) => line.join(': ')),
  ].join('\n');
  const shared = { ...screen, field: 'receipt' as const, value };
  const worked = hasCopied(shared);
  const act = (name: 'print' | 'save') => async (): Promise<void> => {
    let isCertain = false;
    try {
      const { printPaper, savePaper } = await import('./receipt-paper.ts');
      isCertain = await (name === 'print' ? printPaper : savePaper)(paper);
    } catch {
      // No network, or a frame that may do nothing.
    }
    screen.setNote?.(isCertain ? undefined : text('receiptFailed'));
  };
  return (
    <>
      {(['print', 'save'] as const).map((name) => (
        <button key={name} type="button" part="link" data-action={name} onClick={act(name)}>
          <LinkIcon name={name} />
          {text(name)}
        </button>
      ))}
      <button
        type="button"
        part="link"
        data-action="share"
        onClick={({ currentTarget }) =>
          shareText(
            shared,
            { title: paper.title, text: value },
            currentTarget.closest('.card')?.querySelector('dl'),
          )
        }
      >
        <LinkIcon name={worked ? 'done' : 'share'} />
        {text(worked === undefined ? 'share' : labelOfCopy(worked))}
      </button>
    </>
  );
}
