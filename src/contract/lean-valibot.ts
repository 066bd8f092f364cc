/**
 * The part of valibot that the contract uses, in a few lines: what a shopper's browser loads before the account number
 * shows takes this in its place. It says yes and no to the same values, with the same output and the same path to what
 * is wrong; a test holds the two together. No messages: nobody would read them there.
 */
type Path = { readonly key: string }[];
type Result = { success: true; output: unknown } | { success: false; path?: Path };
type Schema = ((value: unknown) => Result) & { readonly isOptional?: boolean; readonly entries?: Entries };
type Entries = Record<string, Schema>;
type Action = (value: unknown) => boolean;

const refuse = (path?: Path): Result => (path ? { success: false, path } : { success: false });
const ofType = (type: string) => (): Schema => (value) =>
  // Not `NaN`, which is no number here.
  typeof value === type && !Number.isNaN(value) ? { success: true, output: value } : refuse();

export const string = ofType('string');
export const number = ofType('number');
export const boolean = ofType('boolean');

export const check = (holds: Action): Action => holds;

export const pipe =
  (schema: Schema, ...actions: Action[]): Schema =>
  (value) => {
    const result = schema(value);
    return !result.success || actions.every((action) => action(result.output)) ? result : refuse();
  };

export const optional = (schema: Schema): Schema =>
  Object.assign(
    (value: unknown): Result => (value === undefined ? { success: true, output: value } : schema(value)),
    { isOptional: true },
  );

export const fallback =
  (schema: Schema, output: unknown): Schema =>
  (value) => {
    const result = schema(value);
    return result.success ? result : { success: true, output };
  };

export const object = (entries: Entries): Schema =>
  Object.assign(
    (value: unknown): Result => {
      if (typeof value !== 'object' || !value) return refuse();
      const output: Record<string, unknown> = {};
      for (const [key, schema] of Object.entries(entries)) {
        if (schema.isOptional && !(key in value)) continue;
        const result = schema((value as Record<string, unknown>)[key]);
        if (!result.success) return refuse([{ key }, ...(result.path ?? [])]);
        output[key] = result.output;
      }
      return { success: true, output };
    },
    { entries },
  );

export function safeParse(schema: Schema, value: unknown): unknown {
  const result = schema(value);
  return result.success ? result : { success: false, issues: [{ path: result.path }] };
}
