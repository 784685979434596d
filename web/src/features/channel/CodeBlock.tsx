import { strings } from '../../i18n/i18n.ts'
import { useScrolls } from '../../ui/scrolls.ts'
import { Colours } from './cards/Colours.tsx'

interface Props {
  language: string
  text: string
}

/** A code block in a message. It scrolls horizontally and is focusable when it overflows (ui.md 8). */
export function CodeBlock({ language, text }: Props) {
  const [scroller, scrolls] = useScrolls<HTMLPreElement>()
  return (
    <pre
      ref={scroller}
      class="code-fence"
      role="group"
      aria-label={strings.cards.codeBlock}
      tabIndex={scrolls ? 0 : undefined}
    >
      <code data-language={language || undefined}>
        {language === '' ? text : <Colours text={text} language={language} />}
      </code>
    </pre>
  )
}
