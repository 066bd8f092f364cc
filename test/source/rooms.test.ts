import { describe, expect, it } from 'vitest';
import { findUnused, findViolations, listFiles, parseImports, readImports } from './check-rooms.ts';

const files = listFiles();
const imports = files.flatMap(readImports);

/** Each with the import that its file may not have. */
const planted = [
  ['src/widget/planted.ts', "import type { Look } from '../../demo/look/model/look.ts';"],
  ['src/core/planted.ts', "export { machine } from '../../dist/index.js';"],
  ['src/entry/planted.ts', "const kit = await import('../../server-kit/index.ts');"],
  ['src/core/machine/planted.ts', "import { effect } from '@preact/signals';"],
  ['server-kit/client/planted.ts', "import type { Store } from '../checkout/ports/store.ts';"],
  ['server-kit/client/api/planted.ts', "import { Session } from '../../../src/core/controller.ts';"],
  [
    'server-kit/checkout/order/planted.ts',
    "import { SandboxError } from '../../tools/sandbox/errors/sandbox-error.ts';",
  ],
  ['server-kit/checkout/routes/planted.ts', "import { createMemoryStore } from '../../stores/memory.ts';"],
  ['server-kit/checkout/shell/planted.ts', "import { readJson } from '../../client/http/body.ts';"],
  ['server-kit/stores/postgres/planted.ts', "import { createTestShop } from '../../tools/testing/index.ts';"],
  [
    'server-kit/stores/sql/planted.ts',
    "type Order = import('../../checkout/shell/session.ts').SessionOptions;",
  ],
  ['server-kit/tools/sandbox/http/planted.ts', "import { isWhole } from '../../../checkout/order/money.ts';"],
  ['server-kit/tools/sandbox/http/planted.ts', "import { formatMoney } from '../pages/format/money.ts';"],
  ['server-kit/tools/cli/planted.ts', "import { h } from 'preact';"],
  ['demo/shop/planted.ts', "import { createCheckout } from 'transfer-checkout/server-kit';"],
] as const;

describe('the rooms', () => {
  it('import only what the table allows, in no circle, and have at most 16 files', () => {
    expect(findViolations(files, imports)).toEqual([]);
  });

  it('import from each room that the table allows, and each package', () => {
    expect(findUnused(imports)).toEqual([]);
  });

  it.each(planted)('would be refused, if %s had: %s', (file, code) => {
    const [found] = parseImports(file, code);
    const message = `${file} may not import ${found?.path ?? found?.package}`;
    expect(findViolations([], found ? [found] : [])).toContain(message);
  });

  it('would be refused, if two of them imported each other', () => {
    const code = "import type { Placeholder } from '../placeholder.ts';";
    const circle = findViolations(files, [...imports, ...parseImports('src/entry/reopen/planted.ts', code)]);
    expect(circle).toContain('src/entry, src/entry/reopen import each other');
  });

  it('would be refused, if one had 17 files, or no row in the table', () => {
    const seventeen = Array.from({ length: 17 }, (_, n) => `src/widget/lazy/${n}.ts`);
    expect(findViolations([...seventeen, 'src/attic/old.ts'], [])).toEqual([
      'src/attic is not in the table of rooms',
      'src/widget/lazy has 17 files, more than 16',
    ]);
  });
});
