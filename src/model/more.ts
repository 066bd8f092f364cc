export { enMore } from '../locales/en-more.ts';
export { accountAsText } from './account-text.ts';
