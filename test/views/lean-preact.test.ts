import fc from 'fast-check';
import * as preact from 'preact';
import { describe, expect, it, vi } from 'vitest';
import { Fragment, h, render } from '../../src/views/lean-preact.ts';

/** A tree as data, to be drawn by both. */
type Tree =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Tree[]
  | { readonly tag: string; readonly props: Record<string, unknown>; readonly children: readonly Tree[] };

// biome-ignore lint/suspicious/noExplicitAny: the two differ in their types only
type Library = { h: any; Fragment: any; components: readonly any[] };

/** Of each library, two components that draw what they are given, and one that draws it beside something of its own. */
function libraryOf(make: Library['h'], fragment: unknown): Library {
  const Same = ({ children }: { children: unknown }): unknown => children;
  const Other = ({ children }: { children: unknown }): unknown => children;
  const Framed = ({ children, title }: { children: unknown; title?: string }): unknown =>
    make(fragment, { children: [title && make('b', { children: title }), make('p', { children })] });
  return { h: make, Fragment: fragment, components: [Same, Other, Framed] };
}
const lean = libraryOf(h, Fragment);
const real = libraryOf(preact.h, preact.Fragment);

const tags = ['div', 'p', 'button', 'svg', 'path', '0', '1', '2'];

function build(tree: Tree, library: Library): unknown {
  if (Array.isArray(tree)) return tree.map((child) => build(child, library));
  if (typeof tree !== 'object' || tree === null) return tree;
  const { tag, props, children } = tree as Exclude<
    Tree,
    string | number | boolean | null | undefined | readonly Tree[]
  >;
  const type = library.components[Number(tag)] ?? tag;
  const { key, ...rest } = props;
  const all = { ...rest, children: children.map((child) => build(child, library)) };
  // Preact's `h` takes the key among the properties, ours beside them, as the JSX runtime does.
  return library === lean ? h(type, all, key) : preact.h(type, key === undefined ? all : { ...all, key });
}

const props = fc.record(
  {
    class: fc.constantFrom('a', 'b', '', undefined),
    'aria-hidden': fc.constantFrom(true, false, undefined),
    'data-copied': fc.constantFrom(true, false, undefined),
    'data-field': fc.constantFrom('one', 'two', undefined),
    style: fc.constantFrom({ transform: 'scaleX(0.5)' }, { '--checkout-accent': 'red' }, undefined),
    onClick: fc.constantFrom(() => {}, undefined),
  },
  { requiredKeys: [] },
);

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Tree>('text', 'other', 0, 7, true, false, null, undefined),
    fc.record({ tag: fc.constantFrom(...tags), props, children: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc
      .uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 })
      .map((keys) => keys.map((key) => ({ tag: 'p', props: { key }, children: [key] }))),
  ),
}));

/** What is drawn, without the order of attributes. */
function read(node: globalThis.Node): unknown {
  if (!(node instanceof Element)) return node.textContent;
  const attributes = [...node.attributes]
    .filter(({ name, value }) => name !== 'style' || value !== '')
    .map(({ name, value }) => `${name}=${value}`);
  return [node.localName, node.namespaceURI, attributes.sort(), [...node.childNodes].map(read)];
}

describe('the part of Preact that browsers load', () => {
  it('draws the same as Preact, one tree over the other', () => {
    fc.assert(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 5 }), (trees) => {
        const [ours, theirs] = [document.createElement('div'), document.createElement('div')];
        for (const one of trees) {
          render(build(one, lean), ours);
          preact.render(build(one, real) as never, theirs);
          expect(read(ours)).toEqual(read(theirs));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps an element as long as its place, its key and its component are the same', () => {
    const place = document.createElement('div');
    const One = (): unknown => h('p', { children: 'one' });
    const Two = (): unknown => h('p', { children: 'two' });
    const draw = (isFirst: boolean, type: typeof One): Element | null => {
      render([isFirst && h('b', {}), h(type, {})], place);
      return place.querySelector('p');
    };
    const first = draw(false, One);
    expect(draw(true, One)).toBe(first);
    expect(draw(true, Two)).not.toBe(first);
  });

  it('moves what has a key with it', () => {
    const place = document.createElement('div');
    const draw = (...keys: string[]): Element[] => {
      render(
        keys.map((key) => h('p', { children: key }, key)),
        place,
      );
      return [...place.children];
    };
    const [one, two] = draw('one', 'two');
    expect(draw('two', 'new', 'one')).toEqual([two, expect.anything(), one]);
    expect(place.textContent).toBe('twonewone');
  });

  it('calls the newest listener, and none that is taken away', () => {
    const place = document.createElement('div');
    const [first, second] = [vi.fn(), vi.fn()];
    for (const onClick of [first, second]) render(h('button', { onClick }), place);
    place.querySelector('button')?.click();
    render(h('button', {}), place);
    place.querySelector('button')?.click();
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  });

  it('keeps the focus in what stays, whatever comes and goes before it', () => {
    const place = document.body.appendChild(document.createElement('div'));
    const draw = (...before: unknown[]): void => render([before, h('button', {})], place);
    draw('text', h('p', {}));
    place.querySelector('button')?.focus();
    draw();
    draw(h('p', {}), h('p', {}), 'more');
    expect(document.activeElement).toBe(place.querySelector('button'));
    place.remove();
  });

  it('calls a reference once, when the element is on the page', () => {
    const place = document.body.appendChild(document.createElement('div'));
    const ref = vi.fn((element: Element) => expect(element.isConnected).toBe(true));
    render(h('p', { children: h('b', { ref }) }), place);
    render(h('p', { children: h('b', { ref }) }), place);
    expect(ref).toHaveBeenCalledOnce();
    place.remove();
  });

  it('leaves nothing when there is nothing to draw', () => {
    const place = document.createElement('div');
    render(h('p', { children: ['a', h('b', {})] }), place);
    render(null, place);
    expect(place.childNodes.length).toBe(0);
  });
});
