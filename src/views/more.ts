export { enMore as words } from '../model/more.ts';
export { copySelection } from './copy-selection.ts';
export { default as css } from './more.css?inline';
export { Notice } from './notice.tsx';
export { QrCode } from './qr-code.tsx';
