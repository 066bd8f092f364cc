import type { JSX } from 'preact';
import { formatMoney, type PaymentView } from '../model/index.ts';
import { formatMoment } from '../model/more.ts';
import type { Screen } from './screen.ts';

/** What has arrived, and when: what a shopper keeps. The reference stands at the foot of every screen. */
export function Receipt({
  model: { text, locale },
  payment: { amount, chargedAmount, paidAt },
}: Screen & { payment: PaymentView }): JSX.Element {
  const received = { ...amount, value: chargedAmount || amount.value };
  return (
    <dl class="receipt" part="receipt">
      <div class="row">
        <dt>{text('received')}</dt>
        <dd>
          <bdi data-field="amount">{formatMoney(received, locale)}</bdi>
        </dd>
      </div>
      {paidAt && (
        <div class="row">
          <dt>{text('paidAt')}</dt>
          <dd>
            <bdi data-field="paidAt">{formatMoment(paidAt, locale)}</bdi>
          </dd>
        </div>
      )}
    </dl>
  );
}
