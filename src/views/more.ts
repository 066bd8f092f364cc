import type { CheckoutModel } from '../model/index.ts';
import { createLater as create, enMore, type Later } from '../model/more.ts';

export { fullTitleOf, leadsOf } from '../model/more.ts';
export { copySelection } from './copy-selection.ts';
export { Icon } from './icon.tsx';
export { TestMode } from './marks.tsx';
export { Missing } from './missing.tsx';
export { default as css } from './more.css?inline';
export { Rest } from './rest.tsx';
export { voicesOf } from './voices.ts';
export { enMore as words };

/** Starts what goes on beside the screens. */
export function createLater(model: CheckoutModel): Later {
  return create(model, (url) => location.assign(url));
}
