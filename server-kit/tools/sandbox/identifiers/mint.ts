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
  /** Above the serial number of every identifier so far. */
  firstSerial: number;
  isAccountNumberTaken: (accountNumber: string) => boolean;
};

export function createMint({ random, bankCode, firstSerial, isAccountNumberTaken }: MintOptions): Mint {
  let serial = firstSerial;
  const token = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 36).toString(36)).join('');
  return {
    token,
    id: (prefix) => `${prefix}_${token(16)}${(serial++).toString(36).padStart(4, '0')}`,
    accountNumber() {
      let number = Math.floor(random() * serialCount);
      for (;;) {
        const candidate = mintAccountNumber(bankCode, number);
        if (!isAccountNumberTaken(candidate)) return candidate;
        number = (number + 1) % serialCount;
      }
    },
  };
}

/** Returns a serial number above those of all identifiers in stored records, also of those within other records. */
export function firstFreeSerial(entries: readonly unknown[]): number {
  let free = 0;
  for (const entry of entries) {
    // Longer serials are references of a merchant.
    const found = JSON.stringify(entry).matchAll(/"[a-z]+_[0-9a-z]{16}([0-9a-z]{4,6})(?![0-9a-z])/g);
    for (const [, serial = ''] of found) free = Math.max(free, Number.parseInt(serial, 36) + 1);
  }
  return free;
}
