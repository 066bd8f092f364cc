import * as v from 'valibot';
import { atLeastOneField } from '../../client/api/fields.ts';
import { parseOrThrow } from '../../client/errors/describe-issues.ts';

/** Strict, because a misspelt name would otherwise make a test pass that tests nothing. */
const check = (
  schema: v.GenericSchema,
  value: unknown,
  { of, takes }: { of: string; takes: string },
): void => {
  parseOrThrow(schema, value, 'the argument', (text) => new TypeError(`${of} takes ${takes}. ${text}.`));
};

const Period = v.optional(
  v.pipe(v.number('must be a number'), v.finite('must be finite'), v.minValue(0, 'must not be negative')),
);
const Duration = v.pipe(
  v.strictObject(
    { days: Period, hours: Period, minutes: Period, seconds: Period, ms: Period },
    'must be an object',
  ),
  atLeastOneField('must name at least one of them'),
);

/** @throws {TypeError} for anything but a duration, with the fields that one has */
export const checkDuration = (duration: unknown): void =>
  check(Duration, duration, { of: 'advance', takes: 'an object of days, hours, minutes, seconds and ms' });

const Time = v.pipe(v.number('must be a number'), v.finite('must be finite'));

/** @throws {TypeError} for anything but a finite number */
export const checkTime = (of: string, ms: unknown): void => check(Time, ms, { of, takes: 'milliseconds' });

/**
 * Refuses misspelt names.
 *
 * @throws {TypeError} for anything but an object of these names
 */
export function checkNames(of: string, value: unknown, names: readonly string[]): void {
  const entries = Object.fromEntries(names.map((name) => [name, v.optional(v.unknown())]));
  check(v.strictObject(entries, 'must be an object'), value, {
    of,
    takes: `an object of ${names.join(', ')}`,
  });
}

const Checkout = v.looseObject({
  handler: v.function(),
  createSession: v.function(),
  settled: v.function(),
});

/** @throws {TypeError} for anything but a checkout, such as a promise of one */
export function checkCheckout(value: unknown): void {
  if (v.is(Checkout, value)) return;
  const hint = value instanceof Promise ? 'a promise; create the checkout without await' : 'something else';
  throw new TypeError(
    `The function of createTestShop must return what createCheckout() returns, but it returned ${hint}.`,
  );
}
