import type { DeliverySwitch } from 'transfer-checkout/sandbox';
import { formatProbability, percentOf } from '../../../format/text.ts';
import { Form } from '../../forms/form.tsx';
import { usePanel } from '../../model/panel-context.ts';
import { CollapsibleForm } from '../../parts/section.tsx';

/** Describes the disturbances in force; empty if there are none. */
export function describeDelivery({ drop, double, delaySeconds, reorder }: DeliverySwitch): readonly string[] {
  return [
    ...(drop > 0 ? [`${formatProbability(drop)} dropped`] : []),
    ...(double > 0 ? [`${formatProbability(double)} sent twice`] : []),
    ...(delaySeconds > 0 ? [`delayed by ${delaySeconds} s`] : []),
    ...(reorder ? ['out of order'] : []),
  ];
}

const none = { drop: 0, double: 0, delaySeconds: 0, reorder: false };

/** Makes callbacks get lost, arrive twice, late or out of order. */
export function CallbackDeliverySwitch() {
  const { act, calls, data } = usePanel();
  const delivery = data.delivery.latest.value;
  if (delivery === undefined) return null;
  const { drop, double, delaySeconds, reorder } = delivery;
  const describe = (now: DeliverySwitch): string =>
    `Callbacks: ${describeDelivery(now).join(', ') || 'delivered normally'}.`;
  return (
    <CollapsibleForm title="Disturb the delivery">
      <Form
        // The key renders the form again when somebody else changes the settings, and keeps typed values otherwise.
        key={JSON.stringify([drop, double, delaySeconds, reorder])}
        name="callback-delivery"
        keepsValues
        fields={[
          { name: 'drop', label: 'Drop, in %', kind: 'number', value: percentOf(drop) },
          { name: 'double', label: 'Send twice, in %', kind: 'number', value: percentOf(double) },
          { name: 'delaySeconds', label: 'Delay, in seconds', kind: 'number', value: delaySeconds },
          { name: 'reorder', label: 'Out of order', kind: 'switch', value: reorder },
        ]}
        submit="Apply"
        run={(values) =>
          act(
            () =>
              calls.setCallbackDelivery({
                ...none,
                ...values,
                drop: Number(values.drop ?? 0) / 100,
                double: Number(values.double ?? 0) / 100,
              }),
            describe,
          )
        }
      />
    </CollapsibleForm>
  );
}
