import type { ClockReading } from 'transfer-checkout/sandbox';
import type { SandboxCalls } from './sandbox-calls.ts';

/** Sets the sandbox's clock to the machine's time and unfreezes it. */
export async function returnToRealTime({ readClock, setClock }: SandboxCalls): Promise<ClockReading> {
  const { now, offsetSeconds } = await readClock();
  const real = new Date(Date.parse(now) - offsetSeconds * 1000).toISOString();
  return setClock({ set: real, frozen: false });
}
