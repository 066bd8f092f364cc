/** Weights of the digits of bank code and serial, from left to right (Central Bank of Nigeria). */
const weights = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];

const serialDigits = 9;

/** The number of account numbers at one bank. */
const serialCount = 10 ** serialDigits;

/**
 * Returns the account number (NUBAN, 10 digits) for a serial at a bank.
 *
 * @param bankCode 3 digits
 * @param serial an integer from 0 to 999,999,999
 * @throws {RangeError} for any other bank code or serial
 */
export function mintAccountNumber(bankCode: string, serial: number): string {
  if (!/^\d{3}$/.test(bankCode)) throw new RangeError(`A bank code has 3 digits; "${bankCode}" is not one.`);
  if (!Number.isInteger(serial) || serial < 0 || serial >= serialCount) {
    throw new RangeError(`A serial is an integer from 0 to ${serialCount - 1}; ${serial} is not.`);
  }
  const digits = String(serial).padStart(serialDigits, '0');
  return digits + checkDigit(bankCode + digits);
}

/** Returns whether the number has 10 digits and ends with its check digit at that bank. */
export function isValidAccountNumber(bankCode: string, accountNumber: string): boolean {
  if (!/^\d{3}$/.test(bankCode) || !/^\d{10}$/.test(accountNumber)) return false;
  return accountNumber.endsWith(checkDigit(bankCode + accountNumber.slice(0, serialDigits)));
}

function checkDigit(digits: string): string {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return String((10 - (sum % 10)) % 10);
}

export type Mint = ReturnType<typeof createMint>;

/** Parts that functions need to create a record. */
export type NewRecordParts = { mint: Mint; nowMs: number };

/**
 * Creates identifiers and account numbers from the injected randomness.
 *
 * @param firstSerial above the serial number of every identifier so far
 */
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
  // Longer serials are references of a merchant.
  const serials = JSON.stringify(entries).matchAll(/"[a-z]+_[0-9a-z]{16}([0-9a-z]{4,6})(?![0-9a-z])/g);
  let free = 0;
  for (const [, serial = ''] of serials) free = Math.max(free, Number.parseInt(serial, 36) + 1);
  return free;
}
