/** Weights of the digits of bank code and serial, from left to right (Central Bank of Nigeria). */
const weights = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];

const serialDigits = 9;

/** Returns the account number (NUBAN, 10 digits) for a serial of at most 9 digits at a bank whose code has 3 digits. */
function accountNumberOf(bankCode: string, serial: number): string {
  const digits = String(serial).padStart(serialDigits, '0');
  const weighted = weights.reduce(
    (sum, weight, index) => sum + weight * Number((bankCode + digits)[index]),
    0,
  );
  return `${digits}${(10 - (weighted % 10)) % 10}`;
}

export type Mint = ReturnType<typeof createMint>;

/** Parts that functions need to create a record. */
export type NewRecordParts = { mint: Mint; nowMs: number };

/** Creates identifiers and account numbers from the injected randomness, with serial numbers from `firstSerial` on. */
export function createMint(
  random: () => number,
  bankCode: string,
  firstSerial: number,
  isAccountNumberTaken: (accountNumber: string) => boolean,
) {
  let serial = firstSerial;
  const token = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 36).toString(36)).join('');
  return {
    /** Returns random characters that are not secure. */
    token,
    /** Returns a unique identifier: the prefix, random characters and a serial number. */
    id: (prefix: string): string => `${prefix}_${token(16)}${(serial++).toString(36).padStart(4, '0')}`,
    /** Returns a valid, unused account number. */
    accountNumber(): string {
      const serialCount = 10 ** serialDigits;
      for (let number = Math.floor(random() * serialCount); ; number = (number + 1) % serialCount) {
        const candidate = accountNumberOf(bankCode, number);
        if (!isAccountNumberTaken(candidate)) return candidate;
      }
    },
  };
}

/** Returns a serial number above those of all identifiers in stored records, also of those within other records. */
export function firstFreeSerial(entries: readonly unknown[]): number {
  // Longer serials are references of a merchant.
  const serials = JSON.stringify(entries).matchAll(/"[a-z]+_[0-9a-z]{16}([0-9a-z]{4,6})(?![0-9a-z])/g);
  let free = 0;
  for (const [, serial = ''] of serials) free = Math.max(free, Number.parseInt(serial, 36) + 1);
  return free;
}
