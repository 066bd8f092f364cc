import type { JSX, RefObject } from 'preact';
import type { PaymentView } from '../../contract/index.ts';
import { useCheckout } from '../context.tsx';
import { receiptAsText } from '../description/plain-text.ts';
import { LinkIcon } from './icon.tsx';
import { CopyLink } from './row.tsx';
import { Text } from './text.tsx';

type ReceiptActionsProps = { readonly payment: PaymentView; readonly receipt: RefObject<Element | null> };

export function ReceiptActions({ payment, receipt }: ReceiptActionsProps): JSX.Element {
  const { model, translator } = useCheckout();
  const { text } = translator.value;
  const value = receiptAsText(payment, translator.value, model.settings.value.merchantName);
  return (
    <>
      <button type="button" part="link" data-action="print" onClick={() => print()}>
        <LinkIcon name="print" />
        <Text>{text('print')}</Text>
      </button>
      <CopyLink
        field="receipt"
        value={value}
        action="share"
        label="share"
        icon="share"
        shown={receipt}
        data={{ title: text('receipt'), text: value }}
      />
    </>
  );
}
