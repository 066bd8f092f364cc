import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ControlTransfer } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../server-kit/tools/sandbox/pages/format/money.ts';
import type { Bank } from './model/bank-model.ts';
import { ScenarioButtons } from './scenario-buttons.tsx';
import { Simulation } from './simulation.tsx';
import { AmountStep } from './steps/amount.tsx';
import { ReceiptStep } from './steps/receipt.tsx';
import { RecipientStep } from './steps/recipient.tsx';
import { useRoomForSheet } from './use-sheet.ts';

const bankName = 'Demo Bank';

type BankAppProps = {
  bank: Bank;
  /** A sheet at the bottom of the window that folds into a bar, instead of a panel. */
  isSheet: boolean;
};

/** A phone bank. */
export function BankApp({ bank, isSheet }: BankAppProps) {
  const isOpen = useSignal(false);
  const frame = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const bodyId = useId();
  useRoomForSheet(frame, isSheet);
  const step = bank.step.value.name;
  // Each step begins at its heading, even if the last one was scrolled.
  useEffect(() => body.current?.scrollTo(0, 0), [step]);
  const isBodyShown = !isSheet || isOpen.value;
  return (
    <section
      ref={frame}
      class="bank"
      aria-label={bankName}
      data-shape={isSheet ? 'sheet' : 'panel'}
      data-open={isBodyShown}
      onKeyDown={({ key }) => {
        if (key === 'Escape') isOpen.value = false;
      }}
    >
      <header class="bank-bar">
        <h2 class="bank-name">
          {isSheet ? (
            <button
              type="button"
              class="bank-toggle"
              data-action="bank-toggle"
              aria-expanded={isOpen.value}
              aria-controls={bodyId}
              onClick={() => {
                isOpen.value = !isOpen.value;
              }}
            >
              {bankName}
            </button>
          ) : (
            bankName
          )}
        </h2>
        <p class="bank-about">{isSheet ? describeStep(bank) : 'Your bank app, simulated'}</p>
        <ScenarioButtons bank={bank} />
      </header>
      <div ref={body} id={bodyId} class="bank-body" hidden={!isBodyShown}>
        <Step bank={bank} />
        <Simulation bank={bank} />
      </div>
      <Announcement bank={bank} />
    </section>
  );
}

function Step({ bank }: { bank: Bank }) {
  const step = bank.step.value;
  switch (step.name) {
    case 'recipient':
      return <RecipientStep bank={bank} />;
    case 'amount':
      return <AmountStep bank={bank} account={step.account} />;
    case 'receipt':
      return <ReceiptStep key={step.transfer.id} bank={bank} {...step} />;
  }
}

function describeStep({ step: { value: step }, requested }: Bank): string {
  if (step.name !== 'receipt') return 'Simulated';
  const isBack = requested.value?.status === 'reversed';
  return step.transfer.status === 'accepted' && !isBack ? 'Money sent' : 'Money returned';
}

/** Reads the result to a screen reader, even while the sheet is folded. */
function Announcement({ bank: { step, problem } }: { bank: Bank }) {
  const now = step.value;
  return (
    <p class="for-readers" role="status" data-part="announcement">
      {problem.value ?? (now.name === 'receipt' ? describeTransfer(now.transfer) : '')}
    </p>
  );
}

function describeTransfer(transfer: ControlTransfer): string {
  const amount = formatMoney({ value: transfer.amount, currency: transfer.currency });
  return transfer.status === 'accepted'
    ? `${bankName} has sent ${amount}.`
    : `The transfer of ${amount} was returned. ${transfer.reason}`;
}
