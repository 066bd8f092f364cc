import * as v from 'valibot';

export const NonEmpty = v.pipe(
  v.string(),
  v.check((text) => text !== ''),
);
