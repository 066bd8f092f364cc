/** The fields of a payment with what the service deducted. */
const feeFields = ['fee', 'vat', 'emtl'] as const;

/** Creates the conversions of a dialect (interface, section 2). */
export const createAmounts = (unit: 'minor' | 'major', basis: 'gross' | 'net') => ({
  toWire: (body: unknown, fields: readonly string[]): unknown =>
    unit === 'minor' ? body : convertAmounts(body, fields, toMajor),
  fromWire(record: unknown, fields: readonly string[]): unknown {
    const inMinor = unit === 'minor' ? record : convertAmounts(record, fields, fromMajor);
    return basis === 'net' && fields.includes('chargedAmount') ? addFees(inMinor) : inMinor;
  },
});

/** Adds the fees to the charged amount, which becomes `NaN` if a fee is unreadable: without it, the paid amount would be too low. */
function addFees(record: unknown): unknown {
  const payment = Object(record) as Record<string, unknown>;
  const { chargedAmount, status } = payment;
  // The amount of a reversal decides nothing.
  if (typeof chargedAmount !== 'number' || chargedAmount <= 0 || status === 'reversed') return record;
  const fees = feeFields.map((name) => payment[name] ?? 0);
  const areReadable = fees.every((fee): fee is number => Number.isSafeInteger(fee));
  const gross = areReadable ? fees.reduce((sum, fee) => sum + fee, chargedAmount) : Number.NaN;
  return { ...payment, chargedAmount: gross };
}

/** Converts minor units to major units. Throws a `RangeError` for more digits than a number can hold. */
export function toMajor(minor: number): number {
  const major = minor / 100;
  if (fromMajor(major) === minor) return major;
  throw new RangeError(`${minor} is too large to be sent in major units.`);
}

/** Works on the decimal text, because 0.29 * 100 is not 29 in binary. `NaN` for more than two decimals. */
function fromMajor(major: number): number {
  const [, whole, decimals = ''] = /^(-?\d+)(?:\.(\d{1,2}))?$/.exec(String(major)) ?? [];
  return whole === undefined ? Number.NaN : Number(whole + decimals.padEnd(2, '0'));
}

/** Converts the numbers in `fields`: `a.b` is a nested field, also in each item of an array `a`. */
function convertAmounts(record: unknown, fields: readonly string[], convert: (amount: number) => number) {
  if (Array.isArray(record)) return record.map((item): unknown => convertAmounts(item, fields, convert));
  if (typeof record !== 'object' || record === null) return record;
  const copy = { ...record } as Record<string, unknown>;
  for (const field of fields) {
    const [name = '', ...rest] = field.split('.');
    if (!Object.hasOwn(copy, name)) continue;
    const value = copy[name];
    if (rest.length > 0) copy[name] = convertAmounts(value, [rest.join('.')], convert);
    else if (typeof value === 'number') copy[name] = convert(value);
  }
  return copy;
}
