import type { UssdBank } from '../../model/index.ts';

/** What is to be sent, in plain digits, and where. */
type Transfer = { readonly amount: string; readonly account: string };

/** The codes to dial, bank by bank. A bank has none where it would need parts of the major unit, or an account that is no number. */
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
