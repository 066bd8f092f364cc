import { render } from 'preact';
import { type ActivityOptions, createActivityModel } from './activity-model.ts';
import { ActivityPanel } from './activity-panel.tsx';

/** Shows the developer panel inside an element. */
export function showActivity(root: Element, options: ActivityOptions): void {
  render(<ActivityPanel model={createActivityModel(options)} />, root);
}
