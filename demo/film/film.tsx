import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Settings } from '../../src/options/options.ts';
import { createStaticModel } from '../../src/widget/model/checkout-model.ts';
import { showCheckout } from '../../src/widget/mount-point.ts';
import { BankApp } from '../bank/bank-app.tsx';
import { account, type Scene, scenes } from './scenes.ts';
import { createStaticBank } from './static-bank.ts';

export type FilmProps = {
  settings: Settings;
  /** Whether it plays by itself, once it is in sight. */
  isPlaying: boolean;
  /** Opens the real checkout. */
  onTry: () => void;
};

/** The checkout beside the bank app: they play one payment, without a server. */
export function Film({ settings, isPlaying: playsAtFirst, onTry }: FilmProps) {
  const index = useSignal(0);
  const isPlaying = useSignal(false);
  const scene = useComputed(() => scenes[index.value] ?? scenes[0]);
  const checkout = useRef<HTMLDivElement>(null);
  const bank = useRef(
    createStaticBank(
      account,
      useComputed(() => scene.value.bank),
    ),
  ).current;
  useStaticCheckout(checkout, settings, scene);
  const isLast = index.value === scenes.length - 1;

  useEffect(() => {
    if (!isPlaying.value) return;
    const timer = setTimeout(() => {
      index.value += 1;
      isPlaying.value = index.value < scenes.length - 1;
    }, scene.value.ms);
    return () => clearTimeout(timer);
  }, [isPlaying.value, index.value]);

  useEffect(() => {
    if (!playsAtFirst || checkout.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        isPlaying.value = true;
      },
      { threshold: 0.4 },
    );
    observer.observe(checkout.current);
    return () => observer.disconnect();
  }, []);

  const play = (): void => {
    if (isLast) index.value = 0;
    isPlaying.value = !isPlaying.value;
  };
  return (
    <>
      <div class="film-stage" data-front={scene.value.inFront} inert aria-hidden="true">
        <div ref={checkout} class="film-checkout" />
        <div class="film-bank">
          <BankApp bank={bank} isSheet={false} />
        </div>
      </div>
      {/* A touch of the picture starts the real one. */}
      <button type="button" class="film-try" data-action="film-try" aria-label="Try it" onClick={onTry} />
      <p class="film-caption">
        How it works · 10 s
        <button type="button" class="film-play" data-action="film-play" onClick={play}>
          {isPlaying.value ? 'Pause' : isLast ? 'Play again' : 'Play'}
        </button>
      </p>
    </>
  );
}

/** Shows the widget itself, in the state of the scene. */
function useStaticCheckout(
  host: RefObject<HTMLElement | null>,
  settings: Settings,
  scene: ReadonlySignal<Scene>,
): void {
  const state = useSignal(scene.value.checkout);
  state.value = scene.value.checkout;
  useEffect(() => {
    const root = host.current?.attachShadow({ mode: 'open' });
    let remove = (): void => {};
    let isWanted = root !== undefined;
    createStaticModel(state.peek(), settings).then((model) => {
      if (root && isWanted) remove = showCheckout({ ...model, state }, root, { onError: console.error });
    }, console.error);
    return () => {
      isWanted = false;
      remove();
    };
  }, []);
}
