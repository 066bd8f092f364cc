/**
 * Returns a copy that inherits nothing. Another script of the page may have added a property to `Object.prototype`: reading an optional
 * field of the copy never finds it.
 */
// @__NO_SIDE_EFFECTS__
export const ownCopy = <T>(value: T): T => Object.assign(Object.create(null), value);

/** Returns the named fields of a value as own fields, undefined where it has none of its own. Spreading the result keeps them. */
export function ownFields<const Name extends string>(
  value: unknown,
  names: readonly Name[],
): { [name in Name]: unknown } {
  const own = ownCopy(value) as { [name in Name]: unknown };
  return Object.fromEntries(names.map((name) => [name, own[name]])) as typeof own;
}
