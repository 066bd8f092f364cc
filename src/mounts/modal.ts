/** A place above the page, in the browser's top layer. */
export type Modal = { readonly place: HTMLElement; readonly close: () => void };

/** Opens it. `onCancel` is called when the shopper wants it closed; it stays until `close`. */
export function openModal(onCancel: () => void): Modal {
  const dialog = document.createElement('dialog');
  const place = dialog.appendChild(document.createElement('div'));
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    onCancel();
  });
  document.body.append(dialog);
  dialog.showModal();
  return {
    place,
    close() {
      dialog.close();
      dialog.remove();
    },
  };
}
