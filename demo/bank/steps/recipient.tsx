import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Bank } from '../model/bank-model.ts';

/** Asks for the account to pay into. Ten digits are enough to look it up. */
export function RecipientStep({ bank }: { bank: Bank }) {
  const id = useId();
  const pasteProblem = useSignal<string | undefined>(undefined);
  const typed = useSignal('');

  const enter = (text: string): void => {
    pasteProblem.value = undefined;
    typed.value = text.replaceAll(/\D/g, '').slice(0, 10);
    if (typed.value.length === 10) bank.lookUp(typed.value);
  };
  const paste = async (): Promise<void> => {
    try {
      const text = await navigator.clipboard.readText();
      if (/\d/.test(text)) enter(text);
      else pasteProblem.value = 'Nothing to paste. Copy the account number in the checkout first.';
    } catch {
      pasteProblem.value =
        'The browser did not allow pasting. Type the number, or paste it with the keyboard.';
    }
  };

  const problem = pasteProblem.value ?? bank.problem.value;
  return (
    <form
      class="bank-step"
      data-step="recipient"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        bank.lookUp(typed.value);
      }}
    >
      <h3>Send money</h3>
      <label for={id}>Account number</label>
      <div class="bank-number">
        <input
          id={id}
          name="accountNumber"
          inputMode="numeric"
          autocomplete="off"
          placeholder="0000000000"
          value={typed.value}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem`}
          onInput={({ currentTarget }) => {
            enter(currentTarget.value);
            currentTarget.value = typed.value;
          }}
        />
        {canPaste() && (
          <button type="button" class="bank-plain" data-action="paste" onClick={paste}>
            Paste
          </button>
        )}
      </div>
      <p id={`${id}-problem`} class={problem ? 'bank-problem' : 'bank-hint'}>
        {problem ?? 'Copy it in the checkout, and paste it here.'}
      </p>
    </form>
  );
}

const canPaste = (): boolean => typeof navigator.clipboard?.readText === 'function';
