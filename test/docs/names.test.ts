import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkoutEventNames } from '../../src/core/machine/checkout-events.ts';
import { callbackName } from '../../src/options/callbacks.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { listFolder } from '../source/project-files.ts';
import { pages, repositoryPages, writtenText } from './pages.ts';

const code = ['src', 'server-kit', 'demo']
  .flatMap(listFolder)
  .filter((path) => /\.([jt]sx?|json|mjs)$/.test(path))
  .map((path) => readFileSync(join(projectFolder, path), 'utf8'))
  .join('\n')
  .match(/\w+/g);
const known = new Set([...(code ?? []), ...checkoutEventNames.map(callbackName)]);

/** Names of the code in running text, such as `createCheckout`: words with capitals inside. */
const namesIn = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].flatMap(
    ([, code = '']) => code.match(/\b[a-z]+[A-Z]\w*/g) ?? [],
  );

describe('the names in the text of a page', () => {
  // Decisions are records of their time.
  it.each([...pages, ...repositoryPages].filter(({ path }) => !path.startsWith('docs/decisions/')))(
    'exist in the code: $path',
    (page) => {
      expect(namesIn(writtenText(page)).filter((name) => !known.has(name))).toEqual([]);
    },
  );
});
