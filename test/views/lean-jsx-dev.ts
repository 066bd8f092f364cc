/** What tests compile JSX to, over the renderer that the script tag has. */
export { Fragment, jsx as jsxDEV } from '../../src/views/lean-preact.ts';
