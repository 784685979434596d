import { copyToClipboard } from '../../../common/copy-to-clipboard.ts'
import { strings } from '../../../i18n/i18n.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { useScrolls } from '../../../ui/scrolls.ts'
import { Colours } from '../cards/Colours.tsx'

interface Props {
  language: string
  /** The rest of the info string. */
  title: string
  text: string
}

/** A code block in a message. It scrolls horizontally and is focusable when it overflows (ui.md 8). */
export function CodeBlock({ language, title, text }: Props) {
  const [scroller, scrolls] = useScrolls<HTMLPreElement>()
  return (
    <div class="code-block">
      <div class="code-block-head">
        <span>{[language, title].filter(Boolean).join(' ') || strings.cards.codeBlock}</span>
        <IconButton
          icon="copy"
          label={strings.cards.copy}
          size={28}
          onClick={() => void copyToClipboard(text, strings.cards.copied)}
        />
      </div>
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
    </div>
  )
}
