import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PanelModel } from './panel-model.ts';

export const PanelContext = createContext<PanelModel | undefined>(undefined);

/** Returns the model inside `App`. */
export function usePanel(): PanelModel {
  const panel = useContext(PanelContext);
  if (panel === undefined) throw new Error('Render this component inside `<App>`.');
  return panel;
}
