let locks = 0;
let release = (): void => {};

/**
 * Holds the page still behind what is above it, without a jump where its scroll bar was. All that are above it at a time
 * share one lock: it ends with the last of them. Returns a function that ends this one.
 */
export function lockScroll(): () => void {
  locks += 1;
  if (locks === 1) release = holdStill();
  let isHeld = true;
  return () => {
    if (isHeld) locks -= 1;
    if (isHeld && locks === 0) release();
    isHeld = false;
  };
}

function holdStill(): () => void {
  const { style, clientWidth } = document.documentElement;
  const before = ['overflow', 'scrollbar-gutter'].map(
    (name) => [name, style.getPropertyValue(name), style.getPropertyPriority(name)] as const,
  );
  // An own rule of the page for these may be important, too.
  style.setProperty('overflow', 'hidden', 'important');
  if (innerWidth > clientWidth) style.setProperty('scrollbar-gutter', 'stable', 'important');
  return () => {
    for (const [name, value, priority] of before) style.setProperty(name, value, priority);
  };
}
