import * as v from 'valibot';
import { parseWebUrl } from './web-url.ts';

/** A text that `parseWebUrl` accepts. */
export const WebUrl = v.pipe(
  v.string(),
  v.check((text) => parseWebUrl(text) !== undefined),
);
