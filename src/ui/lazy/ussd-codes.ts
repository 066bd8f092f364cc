import type { UssdBank } from '../../model/index.ts';

type Transfer = { readonly amount: string; readonly account: string };

/** Returns the code to dial for each bank. Leaves out banks whose code cannot contain the amount's minor units or the account. */
export function ussdCodes(
  banks: readonly UssdBank[],
  { amount, account }: Transfer,
): { readonly bank: string; readonly code: string }[] {
  const values: Record<string, string | undefined> = {
    '{amount}': /^(\d+)(\.0+)?$/.exec(amount)?.[1],
    '{account}': /^\d+$/.exec(account)?.[0],
  };
  return banks
    .map(({ bank, template }) => ({
      bank,
      code: template.replace(/{\w+}/g, (name) => values[name] ?? ' '),
    }))
    .filter(({ code }) => !code.includes(' '));
}
