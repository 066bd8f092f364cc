import { render } from 'preact';
import { createLookModel } from './model/look-model.ts';
import { LookPage } from './page/look-page.tsx';

const place = document.querySelector('main');
if (place === null) throw new Error('The page has no element <main> to show the controls in.');
render(<LookPage model={createLookModel(location.search)} />, place);
