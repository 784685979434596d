import { lazy } from '../ui/lazy.tsx'

export interface ColouredProps {
  text: string
  language: string
}

const Colours = lazy<ColouredProps>(() => import('./Colours.tsx').then(module => module.Colours))

/** Code with the colours of its language (ui.md 3.1), which are fetched when the first is shown; plain until then. */
export function Coloured({ text, language }: ColouredProps) {
  const Shown = language === '' ? undefined : Colours.get()
  return Shown ? <Shown text={text} language={language} /> : text
}
