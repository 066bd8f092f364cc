import type { JSX } from 'preact';
import type { Screen } from './screen.ts';

/** What closes a checkout that is above the page. Its name is there before other words are. */
export function CloseButton({ speech, onClose }: Screen & { onClose: () => void }): JSX.Element {
  return (
    <button
      type="button"
      class="close"
      part="close"
      data-action="close"
      aria-label={speech.text('close') || 'Close'}
      onClick={onClose}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 5l14 14M19 5 5 19" />
      </svg>
    </button>
  );
}
