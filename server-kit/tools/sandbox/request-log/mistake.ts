import type { Recipe } from './recipe.ts';

/** The parts of a request that mistakes use. */
export type ReceivedRequest = {
  method: string;
  /** Scheme and host as sent. */
  origin: string;
  basePath: string;
  /** Without the base path, as sent. */
  path: string;
  /** With the question mark; empty for none. */
  search: string;
  bodyText: string | undefined;
  timestamp: string;
  apiKey: string;
  authToken: string;
};

/** A common mistake: its change to the recipe, and a hint with the correction. */
export type Mistake = {
  hint: string;
  change: (recipe: Recipe, request: ReceivedRequest) => Partial<Recipe>;
};
