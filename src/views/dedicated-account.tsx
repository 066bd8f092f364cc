import type { JSX } from 'preact';
import { type DedicatedAccountView, directionOf, groupAccountNumber } from '../model/index.ts';
import { CopyButton } from './copy-button.tsx';
import { pressBeside } from './press-beside.ts';
import { Row } from './row.tsx';
import type { Screen } from './screen.ts';
import { ShopName } from './shop-name.tsx';
import { copiedLine } from './voices.ts';

/** An account that stays: no amount, no time, and nothing to wait for. */
export function DedicatedAccount(screen: Screen & { view: DedicatedAccountView }): JSX.Element {
  const { speech, settings, view } = screen;
  const { text, locale } = speech;
  const { account, currency, liveMode } = view;
  return (
    <div
      class="card dedicated"
      part="card"
      data-theme={settings.theme}
      style={settings.variables}
      lang={locale}
      dir={directionOf(locale)}
    >
      <div class="head">
        <ShopName {...settings} />
        {!liveMode && (
          <span class="test" part="test-mode">
            {text('testMode')}
          </span>
        )}
      </div>
      <div class="top">
        <div>
          <h2 part="title">{text('dedicatedTitle')}</h2>
          <p>{text('dedicatedLead')}</p>
        </div>
      </div>
      <dl onClick={pressBeside}>
        <Row
          {...screen}
          field="accountNumber"
          shown={groupAccountNumber(account.number)}
          spoken={account.number}
        >
          <CopyButton {...screen} field="accountNumber" value={account.number} />
        </Row>
        <Row {...screen} field="bankName" shown={account.bankName} />
        <Row {...screen} field="accountName" shown={account.name} />
        <Row {...screen} field="currency" shown={currency} />
      </dl>
      <p class="spoken" role="status">
        {copiedLine(screen)}
      </p>
    </div>
  );
}
