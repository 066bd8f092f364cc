import { type HTMLAttributes, h, type JSX } from 'preact';

type TextProps = Omit<HTMLAttributes, 'as' | 'children'> & {
  readonly children: string;
  readonly as?: 'p' | 'b' | 'h2' | 'dt';
};

/** A text that may change. A new text is a new element: browsers that translate the page replace text nodes. */
export function Text({ as: Around, children, ...attributes }: TextProps): JSX.Element {
  if (!Around) return h('span', { key: children, ...attributes }, children);
  return h(Around, attributes, <span key={children}>{children}</span>);
}

/** Attributes that keep translators away, in capitals, so that Preact writes an attribute: servers render no `false`. */
export const notTranslated = { TRANSLATE: 'no' };
