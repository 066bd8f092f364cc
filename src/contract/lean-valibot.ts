/**
 * The part of valibot that the contract uses, in a few lines: what a shopper's browser loads before the account number
 * shows takes this in its place. It says yes and no to the same values, with the same output and the same path to what
 * is wrong; a test holds the two together. No messages: nobody would read them there.
 */
type Path = readonly { readonly key: string }[];
/** Gives what it takes, or throws the path to what is wrong. */
type Schema = ((value: unknown) => unknown) & { readonly isOptional?: boolean };
type Action = (value: unknown) => boolean;

const refuse = (path: Path = []): never => {
  throw path;
};
const ofType = (type: string) => (): Schema => (value) =>
  // Not `NaN`, which is no number here.
  typeof value === type && !Number.isNaN(value) ? value : refuse();

export const string = ofType('string');
export const number = ofType('number');
export const boolean = ofType('boolean');

export const check = (holds: Action): Action => holds;

export const pipe =
  (schema: Schema, ...actions: Action[]): Schema =>
  (value) => {
    const output = schema(value);
    return actions.every((action) => action(output)) ? output : refuse();
  };

export const optional = (schema: Schema): Schema =>
  Object.assign((value: unknown) => (value === undefined ? value : schema(value)), { isOptional: true });

export const fallback =
  (schema: Schema, otherwise: unknown): Schema =>
  (value) => {
    try {
      return schema(value);
    } catch {
      return otherwise;
    }
  };

export const object = (entries: Record<string, Schema>): Schema =>
  Object.assign(
    (value: unknown) => {
      if (typeof value !== 'object' || !value) return refuse();
      const output: Record<string, unknown> = {};
      for (const key in entries) {
        const schema = entries[key] as Schema;
        if (schema.isOptional && !(key in value)) continue;
        try {
          output[key] = schema(value[key as never]);
        } catch (path) {
          refuse([{ key }, ...(path as Path)]);
        }
      }
      return output;
    },
    { entries },
  );

export function safeParse(schema: Schema, value: unknown): unknown {
  try {
    return { success: true, output: schema(value) };
  } catch (path) {
    return { success: false, issues: [{ path }] };
  }
}
