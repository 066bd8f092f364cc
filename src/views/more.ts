import type { CheckoutModel } from '../model/index.ts';
import { createLater as create, enMore, type Later } from '../model/more.ts';

export { fullTitleOf, leadsOf } from '../model/more.ts';
export { ConnectionLine } from './connection-line.tsx';
export { copySelection } from './copy-selection.ts';
export { default as css } from './more.css?inline';
export { Notice } from './notice.tsx';
export { TimeLeft } from './time-left.tsx';
export { TransferActions } from './transfer-actions.tsx';
export { voicesOf } from './voices.ts';
export { enMore as words };

/** Starts what goes on beside the screens. */
export function createLater(model: CheckoutModel): Later {
  return create(model, (url) => location.assign(url));
}
