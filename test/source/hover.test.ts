import { expect, it } from 'vitest';
import { entries, openProject } from '../../docs/generate/compiler.ts';
import { createNamesReader } from '../../docs/generate/public-names.ts';

it('every option of the checkout has a text that editors show', () => {
  const { project, close } = openProject();
  const [, path = ''] = entries.find(([entry]) => entry === 'transfer-checkout/render') ?? [];
  const [, main = ''] = entries.find(([entry]) => entry === 'transfer-checkout') ?? [];
  const read = createNamesReader(project);
  const options = [...read(main), ...read(path)].filter(({ name }) =>
    /^(Checkout|Render)Options$/.test(name),
  );
  close();
  expect(options.map(({ members }) => members.length > 20)).toEqual([true, true]);
  const silent = options.flatMap(({ members }) => members.filter(({ description }) => description === ''));
  expect(silent.map(({ name }) => name)).toEqual([]);
});
