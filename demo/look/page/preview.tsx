import { type Signal, useSignal } from '@preact/signals';
import { galleryAddress, previewScreens } from '../model/look.ts';
import type { LookModel } from '../model/look-model.ts';
import type { PreviewFacts } from '../model/preview-facts.ts';
import { CheckoutPreview } from './checkout-preview.tsx';
import { Choice, Select } from './choice.tsx';

type PreviewProps = { readonly model: LookModel; readonly facts: Signal<PreviewFacts | undefined> };

/** One screen of the checkout in the chosen look. */
export function Preview({ model, facts }: PreviewProps) {
  const look = model.look.value;
  const device = useSignal<Device>('desktop');
  return (
    <section class="preview" aria-label="Preview">
      <div class="bar">
        <Select
          name="screen"
          label="Screen"
          options={screenOptions}
          value={look.screen}
          onChange={(screen) => model.change({ screen })}
        />
        <Choice
          name="device"
          label="Device"
          options={deviceOptions}
          value={device.value}
          onChange={(next) => {
            device.value = next;
          }}
        />
        <a href={galleryAddress(look)}>Full size</a>
      </div>
      <div class="preview-device" data-device={device.value}>
        <CheckoutPreview model={model} facts={facts} />
      </div>
      <ContrastLine contrast={facts.value?.contrast} />
    </section>
  );
}

type Device = 'phone' | 'desktop';

const deviceOptions = [
  { value: 'phone', label: 'Phone' },
  { value: 'desktop', label: 'Desktop' },
] as const;

/** `awaitingTransfer` is labelled "Awaiting transfer". */
const screenOptions = previewScreens.map(({ name }) => {
  const [first = '', ...rest] = name;
  const label = first.toUpperCase() + rest.join('').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { value: name, label };
});

function ContrastLine({ contrast }: { contrast: PreviewFacts['contrast'] }) {
  if (!contrast) return null;
  const isReadable = contrast.ratio >= contrast.needed;
  // Rounded down: 4.49 is too little.
  const ratio = (Math.floor(contrast.ratio * 10) / 10).toFixed(1);
  return (
    <p class={isReadable ? 'contrast' : 'contrast problem'} role="status">
      {isReadable
        ? `Readable: the lowest contrast is ${ratio}:1.`
        : `“${contrast.text}” is hard to read: its contrast is ${ratio}:1, and ${contrast.needed}:1 is needed.`}
    </p>
  );
}
