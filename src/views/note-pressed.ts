/**
 * Gives what is being pressed, while that is handled. Safari gives it no focus: nobody would see that the focus has to be kept when
 * it goes.
 */
export function notePressed(place: Element): () => Element | undefined {
  let pressed: Element | undefined;
  place.addEventListener(
    'click',
    ({ target }) => {
      pressed = target as Element;
    },
    true,
  );
  place.addEventListener('click', () => {
    pressed = undefined;
  });
  return () => pressed;
}
