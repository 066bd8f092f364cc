import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { wireObject } from '../../src/contract/index.ts';

const Point = wireObject({ x: v.number(), label: v.optional(v.string()) });

/** Lets every object inherit an enumerable property for the length of the test. */
function pollute(name: string, value: unknown): void {
  Object.defineProperty(Object.prototype, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  onTestFinished(() => void Reflect.deleteProperty(Object.prototype, name));
}

describe('an object on the wire', () => {
  it('has every field of its schema, and no other', () => {
    const point = v.parse(Point, { x: 1, newer: true });
    expect(point).toStrictEqual({ x: 1, label: undefined });
    expect(Object.keys({ ...point })).toEqual(['x', 'label']);
  });

  it.each([{}, { x: '1' }, { x: 1, label: 2 }, null, undefined, 'x', 5])('is not %j', (input) => {
    expect(v.is(Point, input)).toBe(false);
  });

  it('names the invalid field, also inside another object', () => {
    const { issues } = v.safeParse(wireObject({ at: Point }), { at: { x: 'one' } });
    expect(issues?.[0].path?.map(({ key }) => key)).toEqual(['at', 'x']);
  });

  it('is parsed while every object inherits a property of another script', () => {
    pollute('foo', 'x');
    expect(v.safeParse(Point, JSON.parse('{"x":1}')).output).toEqual({ x: 1 });
  });

  it('inherits no field', () => {
    pollute('label', 'polluted');
    const point = v.parse(Point, JSON.parse('{"x":1}'));
    expect([point.label, { ...point }.label]).toEqual([undefined, undefined]);
    pollute('x', 1);
    expect(v.is(Point, {})).toBe(false);
  });
});
