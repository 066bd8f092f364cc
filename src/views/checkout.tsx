import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { type CheckoutModel, paymentOf, wordsOf } from '../model/index.ts';
import { NoticeScreen } from './notice-screen.tsx';
import { TransferScreen } from './transfer-screen.tsx';

/** The whole checkout: the shop's name, exactly one screen, and a voice for screen readers that outlives it. */
export function Checkout({ model }: { model: CheckoutModel }): JSX.Element {
  const state = model.state.value;
  // Text that is equal is not set again, so only a change is spoken; the time left is not in it.
  const spoken = useComputed(() => {
    const { title, leads } = wordsOf(model.state.value, model.text);
    return [title, ...leads].join(' ');
  });
  const payment = paymentOf(state);
  return (
    <div class="card" part="card" data-state={state.name} data-theme={model.theme} tabIndex={-1}>
      <div class="head">
        <span class="shop">{model.merchantName}</span>
        {payment?.liveMode === false && (
          <span class="test" part="test-mode">
            {model.text('testMode')}
          </span>
        )}
      </div>
      {state.name === 'awaitingTransfer' ? (
        <TransferScreen model={model} state={state} />
      ) : (
        <NoticeScreen model={model} state={state} />
      )}
      {payment && (
        <p class="foot">
          {model.text('reference')} <span data-field="reference">{payment.reference}</span>
        </p>
      )}
      <p class="spoken" role="status">
        {spoken}
      </p>
    </div>
  );
}
