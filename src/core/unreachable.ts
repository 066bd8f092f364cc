/** Ends an exhaustive switch: the compiler refuses a case that was forgotten. */
export function unreachable(value: never): never {
  throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`);
}
