import { render } from 'preact';
import { Film, type FilmProps } from './film.tsx';

/** Shows the film inside an element. Returns a function that removes it. */
export function showFilm(root: Element, props: FilmProps): () => void {
  render(<Film {...props} />, root);
  return () => render(null, root);
}
