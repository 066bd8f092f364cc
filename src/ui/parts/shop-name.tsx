import type { JSX } from 'preact';
import { useCheckout } from '../hooks/use-checkout.ts';

/** Whose checkout it is: the shop's sign, and its name where the sign does not say it. */
export function ShopName(): JSX.Element {
  const { logo, merchantName } = useCheckout().settings.value;
  return (
    <>
      {/* biome-ignore lint/performance/noImgElement: there is nothing here that would load it in another way */}
      {logo && <img class="logo" part="logo" height="28" src={logo.src} alt={logo.alt} />}
      {!logo?.alt && (
        <b>
          <bdi>{merchantName}</bdi>
        </b>
      )}
    </>
  );
}
