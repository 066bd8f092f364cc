import { describe, expect, it } from 'vitest';
import { sliceJsonMember } from '../../../../server-kit/core/json.ts';

describe('the slice of a member', () => {
  it.each([
    ['another object has one of that name after it', '{"data":{"a":1},"x":{"data":{"b":2}}}', '{"a":1}'],
    ['another object has one of that name before it', '{"x":{"data":{"b":2}},"data":{"a":1}}', '{"a":1}'],
    ['a list of objects has one of that name', '{"data":{"a":1},"x":[{"data":2}]}', '{"a":1}'],
    ['it holds one of that name itself', '{"data":{"data":{"b":2}}}', '{"data":{"b":2}}'],
    ['there is white space around it', '{"data" :\n {"a": 1}\t ,"x":1}', '{"a": 1}'],
    ['there is white space behind the last one', '{"data":{"a":1} \r\n}', '{"a":1}'],
    ['its brackets are in a string', '{"data":{"a":"}\\"}"}}', '{"a":"}\\"}"}'],
  ])('is the outer one, unchanged, when %s', (_name, text, slice) => {
    expect(sliceJsonMember(text, 'data')).toBe(slice);
  });

  it.each(['{}', '{"x":{"data":1}}', '{"x":"data"}', '{"x":["data",1]}'])('is missing in %s', (text) => {
    expect(sliceJsonMember(text, 'data')).toBeUndefined();
  });
});
