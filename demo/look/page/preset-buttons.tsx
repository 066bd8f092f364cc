import type { LookModel } from '../model/look-model.ts';
import { type Preset, presets } from '../model/presets.ts';

/** Looks to begin with. */
export function PresetButtons({ model }: { readonly model: LookModel }) {
  const { theme, variables } = model.look.value;
  const chosen = JSON.stringify([theme, variables]);
  return (
    <fieldset class="presets">
      <legend>Start from a preset</legend>
      <div>
        {presets.map((preset) => (
          <button
            key={preset.name}
            type="button"
            aria-pressed={chosen === JSON.stringify([preset.theme, preset.variables])}
            onClick={() => model.begin(preset)}
          >
            <Swatch preset={preset} />
            {preset.name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function Swatch({ preset: { theme, variables } }: { readonly preset: Preset }) {
  const { accent, background = theme === 'dark' ? '#14191f' : '#fff', line, radius } = variables;
  const style = { background, borderColor: line, borderRadius: `min(${radius}, 0.5rem)` };
  return (
    <span class="swatch" style={style} aria-hidden="true">
      <span style={{ background: accent, borderRadius: style.borderRadius }} />
    </span>
  );
}
