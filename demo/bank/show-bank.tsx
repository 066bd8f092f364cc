import { render } from 'preact';
import { BankApp } from './bank-app.tsx';
import { type Bank, type BankOptions, createBank } from './model/bank-model.ts';
import { useIsSheet } from './use-sheet.ts';

/** Shows the bank app inside an element: beside the checkout, or as a sheet below it. */
export function showBank(root: Element, options: BankOptions): void {
  render(<PlacedBank bank={createBank(options)} />, root);
}

function PlacedBank({ bank }: { bank: Bank }) {
  return <BankApp bank={bank} isSheet={useIsSheet()} />;
}
