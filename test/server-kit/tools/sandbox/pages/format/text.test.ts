import { describe, expect, it } from 'vitest';
import {
  formatAccountNumber,
  formatJson,
  formatProbability,
} from '../../../../../../server-kit/tools/sandbox/pages/format/text.ts';

describe('the formatters', () => {
  it('group an account number of ten digits, and no other', () => {
    expect([formatAccountNumber('9012345678'), formatAccountNumber('123')]).toEqual(['9012 345 678', '123']);
  });

  it('indent JSON, and leave other text unchanged', () => {
    expect(formatJson('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(formatJson('{"a":')).toBe('{"a":');
  });

  it('show a probability in percent', () => {
    expect([0, 0.25, 0.125, 1].map(formatProbability)).toEqual(['0 %', '25 %', '12.5 %', '100 %']);
  });
});
