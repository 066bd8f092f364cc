/** What is shown can be pressed as the button beside it can, and still be selected: nothing lies above it. */
export function pressBeside({ target }: Event): void {
  const beside = (target as Element).closest('bdi')?.nextElementSibling as HTMLElement | null | undefined;
  beside?.click();
}
