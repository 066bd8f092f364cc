import { render } from 'preact';
import { BankApp } from './bank-app.tsx';
import { type BankOptions, createBank } from './model/bank-model.ts';

/** Shows the bank app inside an element. */
export function showBank(root: Element, options: BankOptions): void {
  render(<BankApp bank={createBank(options)} />, root);
}
