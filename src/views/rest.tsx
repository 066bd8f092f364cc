import type { JSX } from 'preact';
import { isToPay } from '../model/more.ts';
import { Foot } from './marks.tsx';
import { Notice } from './notice.tsx';
import type { Screen } from './screen.ts';
import { TransferScreen } from './transfer-screen.tsx';

/** All that stands below the title, and below the account where there is one to pay into. */
export function Rest(screen: Screen): JSX.Element {
  const { state } = screen;
  return (
    <>
      {isToPay(state) ? <TransferScreen {...screen} state={state} /> : <Notice {...screen} />}
      <Foot {...screen} />
    </>
  );
}
