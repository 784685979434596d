import { useMemo } from 'preact/hooks'
import { coloursOf } from './colours.ts'
import type { Piece } from './pieces.ts'
import './Colours.css'

interface Props {
  text: string
  language: string
}

/** Syntax-highlighted code (ui.md 3.1) with its line ends; plain until the worker returns the colours. */
export function Colours({ text, language }: Props) {
  const lines = useColours(text, language)
  if (!lines) return <>{text}</>
  return (
    <>
      {lines.map((pieces, at) => (
        <>
          {at > 0 && '\n'}
          <Pieces pieces={pieces} />
        </>
      ))}
    </>
  )
}

/** Coloured lines; undefined until computed. */
export const useColours = (text: string, language: string) =>
  useMemo(() => coloursOf({ text, language }), [text, language]).value

export function Pieces({ pieces }: { pieces: Piece[] }) {
  return <>{pieces.map(({ text, kind }) => (kind ? <span class={`code-${kind}`}>{text}</span> : text))}</>
}
