import { render } from 'preact';
import { Overview } from './overview.tsx';
import { readQuery, readSingle } from './query.ts';
import { showScreen } from './show-screen.ts';

const place = document.querySelector('main');
if (place === null) throw new Error('The page has no element <main> to show the gallery in.');
let removeScreen = (): void => {};

/** Shows what the query asks for. `data-shown` on the page is set to the query once everything is rendered. */
async function show(main: HTMLElement): Promise<void> {
  const { search } = location;
  const single = readSingle(search);
  removeScreen();
  render(null, main);
  main.replaceChildren();
  document.body.className = single ? 'single' : 'gallery';
  if (single) {
    const { screen, look } = single;
    document.title = `${screen.name} – transfer-checkout`;
    document.documentElement.dataset.theme = look.theme;
    removeScreen = await showScreen(main.appendChild(document.createElement('div')), screen, look);
  } else {
    render(<Overview query={readQuery(search)} />, main);
  }
  document.documentElement.dataset.shown = search;
}

addEventListener('popstate', () => show(place));
await show(place);
