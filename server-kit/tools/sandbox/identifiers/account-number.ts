/** Weights of the digits of bank code and serial, from left to right (Central Bank of Nigeria). */
const weights = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];

const serialDigits = 9;

/** The number of account numbers at one bank. */
export const serialCount = 10 ** serialDigits;

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
