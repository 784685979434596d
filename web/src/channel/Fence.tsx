import { Coloured } from '../cards/Coloured.tsx'
import { useScrolls } from '../ui/scrolls.ts'
import { words } from '../words.ts'

interface Props {
  language: string
  text: string
}

/** Code that was written into a message. It scrolls by itself, and takes the focus when it does (ui.md 8). */
export function Fence({ language, text }: Props) {
  const [scroller, scrolls] = useScrolls<HTMLPreElement>()
  return (
    <pre
      ref={scroller}
      class="fence"
      role="group"
      aria-label={words.cards.fence}
      tabIndex={scrolls ? 0 : undefined}
    >
      <code data-language={language || undefined}>
        <Coloured text={text} language={language} />
      </code>
    </pre>
  )
}
