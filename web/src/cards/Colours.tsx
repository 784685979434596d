import type { ColouredProps } from './Coloured.tsx'
import { highlight, type Piece } from './highlight.ts'
import './Colours.css'

/** A whole text, with its line ends. */
export function Colours({ text, language }: ColouredProps) {
  return (
    <>
      {highlight(text, language).map((pieces, at) => (
        <>
          {at > 0 && '\n'}
          <Pieces pieces={pieces} />
        </>
      ))}
    </>
  )
}

export function Pieces({ pieces }: { pieces: Piece[] }) {
  return <>{pieces.map(({ text, kind }) => (kind ? <span class={`c-${kind}`}>{text}</span> : text))}</>
}
