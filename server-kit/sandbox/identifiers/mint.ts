import { mintAccountNumber, serialCount } from './account-number.ts';

/** Creates identifiers and account numbers from the injected randomness. */
export type Mint = {
  /** Returns a unique identifier: the prefix, random characters and a serial number. */
  id: (prefix: string) => string;
  /** Returns random characters that are not secure. */
  token: (length: number) => string;
  /** Returns a valid, unused account number. */
  accountNumber: () => string;
};

/** Parts that functions need to create a record. */
export type NewRecordParts = { mint: Mint; nowMs: number };

export type MintOptions = {
  random: () => number;
  bankCode: string;
  /** An upper bound for the number of existing identifiers. */
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
