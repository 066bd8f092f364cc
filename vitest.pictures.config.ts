import { defineConfig } from 'vitest/config';
import full from './vitest.full.config.ts';

/** `npm run pictures`: compares screens with reviewed pictures, which only the browser that took them passes. */
export default defineConfig({
  ...full,
  test: { ...full.test, name: 'pictures', include: ['test/browser/screens.pictures.ts'] },
});
