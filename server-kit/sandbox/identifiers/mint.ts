import { mintAccountNumber, serialCount } from './account-number.ts';

/** Makes identifiers and account numbers out of the injected randomness. */
export type Mint = {
  /** `pay_` and the like, with random letters and a number that no other has. */
  id: (prefix: string) => string;
  /** Random-looking text. Nothing is protected by it. */
  token: (length: number) => string;
  /** A valid account number that nobody has. */
  accountNumber: () => string;
};

/** Parts that functions need to create a record. */
export type NewRecordParts = { mint: Mint; nowMs: number };

export type MintOptions = {
  random: () => number;
  bankCode: string;
  /** How many identifiers there may be already. */
  minted: number;
  isAccountNumberTaken: (accountNumber: string) => boolean;
};

export function createMint({ random, bankCode, minted: before, isAccountNumberTaken }: MintOptions): Mint {
  let minted = before;
  const token = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 36).toString(36)).join('');
  return {
    token,
    id: (prefix) => `${prefix}_${token(16)}${(minted++).toString(36).padStart(4, '0')}`,
    accountNumber() {
      let serial = Math.floor(random() * serialCount);
      for (;;) {
        const candidate = mintAccountNumber(bankCode, serial);
        if (!isAccountNumberTaken(candidate)) return candidate;
        serial = (serial + 1) % serialCount;
      }
    },
  };
}
