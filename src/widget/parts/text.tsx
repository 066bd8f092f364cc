import type { HTMLAttributes, JSX } from 'preact';

type TextProps = Omit<HTMLAttributes<HTMLSpanElement>, 'children'> & {
  readonly children: string;
};

/**
 * A text that may change; everything that the widget says is one. The key gives each text a new element: a browser that translates the
 * page replaces text nodes, and the text of a replaced node could no longer be changed.
 */
export function Text({ children, ...attributes }: TextProps): JSX.Element {
  return (
    <span key={children} {...attributes}>
      {children}
    </span>
  );
}

/**
 * Attributes of a number, a name or a time, which translators must leave alone. In capitals, so that Preact writes the attribute: the
 * property `translate` is a boolean, and servers render no `false`.
 */
export const notTranslated = { TRANSLATE: 'no' };
