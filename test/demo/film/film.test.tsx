import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Film } from '../../../demo/film/film.tsx';
import { scenes } from '../../../demo/film/scenes.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens the film; the returned functions let time pass, and bring it into sight. */
async function openFilm({ isPlaying = true } = {}) {
  let appear = (): void => {};
  class Observer {
    constructor(report: (entries: readonly object[]) => void) {
      appear = () => report([{ isIntersecting: true }]);
    }
    observe(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  const onTry = vi.fn();
  const { container } = render(<Film settings={{ theme: 'auto' }} isPlaying={isPlaying} onTry={onTry} />);
  const host = container.querySelector<HTMLElement>('.film-checkout');
  const state = () => host?.shadowRoot?.querySelector<HTMLElement>('.card')?.dataset.state;
  await expect.poll(state).toBe('awaitingTransfer');
  const button = () => container.querySelector('.film-play')?.textContent;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return {
    onTry,
    appear: () => appear(),
    state,
    button,
    press: (name: string) => fireEvent.click(screen.getByRole('button', { name })),
    async playOut() {
      for (const { ms } of scenes) {
        // Each scene's timer starts after the one before was rendered.
        await expect.poll(() => vi.getTimerCount() > 0 || button() === 'Play again').toBe(true);
        await vi.advanceTimersByTimeAsync(ms);
      }
    },
  };
}

describe('the film on the landing page', () => {
  it('plays once by itself when it is in sight, and again on a press', async () => {
    const film = await openFilm();
    expect(film.button()).toBe('Play');
    film.appear();
    await film.playOut();
    expect([film.state(), film.button()]).toEqual(['succeeded', 'Play again']);
    film.press('Play again');
    await expect.poll(film.state).toBe('awaitingTransfer');
    expect(film.button()).toBe('Pause');
    film.press('Pause');
    await expect.poll(film.button).toBe('Play');
  });

  it('stands still under reduced motion, and opens the real checkout on a touch', async () => {
    const film = await openFilm({ isPlaying: false });
    film.appear();
    expect([film.state(), film.button()]).toEqual(['awaitingTransfer', 'Play']);
    film.press('Try it');
    expect(film.onTry).toHaveBeenCalledOnce();
  });
});
