import type { JSX, RefObject } from 'preact';
import type { PaymentView } from '../../contract/index.ts';
import { loadLazyPart } from '../../core/connection/lazy-part.ts';
import { referenceOf } from '../../core/machine/state.ts';
import type { Messages } from '../../i18n/messages.ts';
import { directionOf, type Translator } from '../../i18n/translator.ts';
import { type Receipt, receiptLines } from '../description/receipt-lines.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { useHint } from '../hooks/use-hint.ts';
import { usePreload } from '../hooks/use-preload.ts';
import { CopyLink } from './copying.tsx';
import { LinkIcon } from './icon.tsx';
import { Text } from './text.tsx';

const importReceipt = () => import('../lazy/receipt.ts');

type ReceiptActionsProps = { readonly payment: PaymentView; readonly receipt: RefObject<Element | null> };

/** Prints, saves and shares a receipt, as an image where possible. The code that does it is loaded on demand. */
export function ReceiptActions({ payment, receipt: shown }: ReceiptActionsProps): JSX.Element {
  const { model, translator: localized } = useCheckout();
  const translator = localized.value;
  const { setHint } = useHint();
  usePreload('receipt', importReceipt, shown);
  const receipt = receiptOf(payment, translator, model.settings.value.merchantName);
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
          <Text>{translator.text(name)}</Text>
        </button>
      ))}
      <CopyLink
        field="receipt"
        value={value}
        action="share"
        label="share"
        icon="share"
        shown={shown}
        data={shareData}
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
