import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PanelModel } from './panel-model.ts';

export const PanelContext = createContext<PanelModel | undefined>(undefined);

/** The model, for the components inside of the app. */
export function usePanel(): PanelModel {
  const panel = useContext(PanelContext);
  if (panel === undefined)
    throw new Error('This component belongs into a PanelContext; render it inside of App.');
  return panel;
}
