import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { copyText } from '../../../src/widget/dom/clipboard.ts';
import type { LookOptions } from '../model/look.ts';
import type { LookModel } from '../model/look-model.ts';
import { printImport, printScriptTag, printStyles } from '../model/print-code.ts';
import { Choice } from './choice.tsx';

const forms = {
  npm: { label: 'npm', print: printImport },
  html: { label: 'Script tag', print: printScriptTag },
  css: { label: 'CSS', print: printStyles },
} as const;

type Form = keyof typeof forms;

const formOptions = (Object.keys(forms) as Form[]).map((value) => ({ value, label: forms[value].label }));

/** The code for the chosen look, in three forms. */
export function Code({ model }: { model: LookModel }) {
  const form = useSignal<Form>('npm');
  const options = model.options.value;
  const code = forms[form.value].print(options);
  const note = noteOn(form.value, options);
  return (
    <section class="code" aria-label="Code">
      <Choice
        name="form"
        label="Code"
        options={formOptions}
        value={form.value}
        onChange={(next) => {
          form.value = next;
        }}
      />
      {code ? <CopyableCode code={code} /> : <p class="hint">Every colour and size has its default.</p>}
      {note && <p class="hint">{note}</p>}
    </section>
  );
}

function noteOn(form: Form, { appearance = {}, locale, text }: LookOptions): string | undefined {
  switch (form) {
    case 'npm':
      return 'The options of your server and your shop come beside these.';
    case 'css':
      return appearance.theme || appearance.density || locale || text
        ? 'Theme, density, language and texts are options: style sheets cannot set them.'
        : undefined;
    case 'html':
      return text || appearance.variables
        ? 'With a strict content security policy, move the style and the script into files of your site.'
        : undefined;
  }
}

function CopyableCode({ code }: { code: string }) {
  const shown = useRef<HTMLPreElement>(null);
  const last = useSignal<{ code: string; isCopied: boolean } | undefined>(undefined);
  const isCopied = last.value?.code === code ? last.value.isCopied : undefined;
  const copy = async (): Promise<void> => {
    last.value = { code, isCopied: await copyText(code, shown.current) };
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its long lines are scrolled */}
      <pre ref={shown} tabIndex={0}>
        {code}
      </pre>
      <div class="copy">
        <button type="button" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <span role="status">
          {isCopied === false && 'The browser did not allow copying. The code is selected: copy it yourself.'}
          {isCopied && <span class="for-readers">The code is copied.</span>}
        </span>
      </div>
    </>
  );
}
