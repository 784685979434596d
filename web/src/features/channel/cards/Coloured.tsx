import { lazyComponent } from '../../../ui/lazy.tsx'

export interface ColouredProps {
  text: string
  language: string
}

const Colours = lazyComponent<ColouredProps>(() => import('./Colours.tsx').then(module => module.Colours))

/** Syntax-highlighted code (ui.md 3.1): plain until the colours, fetched with the first code, are ready. */
export function Coloured({ text, language }: ColouredProps) {
  const Shown = language === '' ? undefined : Colours.get()
  return Shown ? <Shown text={text} language={language} /> : text
}
