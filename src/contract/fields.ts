// Uses only `check`: each other valibot action would add to the widget's size.
import * as v from 'valibot';
import { parseWebUrl } from './web-url.ts';

export const NonEmpty = v.pipe(
  v.string(),
  v.check((text) => text !== ''),
);

/** A text that `parseWebUrl` accepts. */
export const WebUrl = v.pipe(
  v.string(),
  v.check((text) => parseWebUrl(text) !== undefined),
);

/** ISO 8601 in UTC. */
export const UtcTimestamp = v.pipe(
  v.string(),
  v.check((text) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && Date.parse(text) > 0),
);

/** A whole, non-negative number of minor units (kobo, cents). */
export const MinorUnits = v.pipe(
  v.number(),
  v.check((units) => Number.isSafeInteger(units) && units >= 0),
);
