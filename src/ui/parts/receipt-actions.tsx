import type { JSX } from 'preact';
import {
  directionOf,
  loadLazyPart,
  type Messages,
  type PaymentView,
  type Receipt,
  receiptLines,
  referenceOf,
  type Translator,
} from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { useHint } from '../hooks/use-hint.ts';
import { CopyButton } from './copy-button.tsx';
import { LinkIcon } from './icon.tsx';

export const importReceipt = () => import('../lazy/receipt.ts');

/** Prints, saves and shares a receipt, as an image where possible. The code that does it is loaded on demand. */
export function ReceiptActions({ payment }: { payment: PaymentView }): JSX.Element {
  const context = useCheckout();
  const translator = context.translator.value;
  const { setHint } = useHint();
  const receipt = receiptOf(payment, translator, context.settings.value.merchantName);
  const act = (name: 'print' | 'save') => async (): Promise<void> => {
    let isCertain = false;
    try {
      const { printReceipt, saveReceipt } = await loadLazyPart('receipt', importReceipt);
      isCertain = await (name === 'print' ? printReceipt : saveReceipt)(receipt);
    } catch {
      // No network, or a sandboxed frame: the hint says what else to do.
    }
    setHint(isCertain ? undefined : translator.text('receiptFailed'));
  };
  const shareData = async (): Promise<ShareData> => {
    const data = { title: receipt.title, text: value };
    try {
      const { toImageFile } = await loadLazyPart('receipt', importReceipt);
      const image = await toImageFile(receipt);
      if (image && navigator.canShare({ files: [image] })) return { ...data, files: [image] };
    } catch {
      // Without the image, the text is shared.
    }
    return data;
  };
  const value = [
    [receipt.title, receipt.shop].filter(Boolean).join(' – '),
    ...(receipt.mark ? [receipt.mark] : []),
    ...receipt.lines.map((line) => line.join(': ')),
  ].join('\n');
  return (
    <>
      {(['print', 'save'] as const).map((name) => (
        <button key={name} type="button" part="link" data-action={name} onClick={act(name)}>
          <LinkIcon name={name} />
          {translator.text(name)}
        </button>
      ))}
      <CopyButton
        field="receipt"
        value={value}
        link={{ action: 'share', label: 'share', icon: 'share', data: shareData }}
      />
    </>
  );
}

function receiptOf(payment: PaymentView, translator: Translator, merchantName = ''): Receipt {
  const label = (key: keyof Messages): string => translator.text(key);
  return {
    title: label('receipt'),
    shop: merchantName,
    mark: payment.liveMode ? '' : label('testMode'),
    lines: receiptLines(payment, translator).map(([key, value]) => [label(key), value] as const),
    number: payment.orderId || referenceOf(payment),
    lang: translator.locale,
    dir: directionOf(translator.locale),
  };
}
