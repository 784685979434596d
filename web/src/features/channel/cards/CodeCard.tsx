import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { CodePreviewPayload } from '#shared/domain/payloads/previews.ts'
import { copyToClipboard } from '../../../common/copy-to-clipboard.ts'
import { strings } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { useScrolls } from '../../../ui/scrolls.ts'
import { Pieces, useColours } from './Colours.tsx'
import { plainLines } from './pieces.ts'
import './cards.css'

interface Props {
  /** Identifies the card; unfolded cards stay so while the tab is open. */
  name: string
  card: CodePreviewPayload
  /** The source's address; a stored file is downloaded instead. */
  address?: string
  isFolded?: boolean
  buttons?: ComponentChildren
}

const SHOWN = 12
const unrolled = new Set<string>()

export function CodeCard({ name, card, address, isFolded = false, buttons }: Props) {
  const [isWhole, setWhole] = useState(unrolled.has(name))
  const lines = card.code.split('\n')
  const shown = isWhole ? lines.length : Math.min(lines.length, SHOWN)
  const unroll = () => {
    if (isWhole) unrolled.delete(name)
    else unrolled.add(name)
    setWhole(!isWhole)
  }
  return (
    <div class={isFolded ? 'card code-card is-folded' : 'card code-card'}>
      <div class="code-card-head">
        <Icon name="code" size={16} />
        <span class="code-card-path" title={card.filepath}>
          <span>{folderOf(card)}</span>
          <b>{card.filename}</b>
        </span>
        <span class="code-card-range">{rangeOf(card, shown)}</span>
        <span class="card-actions">
          <IconButton
            icon="copy"
            label={strings.cards.copy}
            size={28}
            onClick={() => void copyToClipboard(card.code, strings.cards.copied)}
          />
          {address && (
            <a
              class="icon-button icon-button-28"
              href={address}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={strings.cards.open}
              title={strings.cards.open}
            >
              <Icon name="external" size={16} />
            </a>
          )}
          {buttons}
        </span>
      </div>
      {!isFolded && <Lines card={card} shown={shown} />}
      {!isFolded && lines.length > SHOWN && (
        <button type="button" class="code-card-more" aria-expanded={isWhole} onClick={unroll}>
          {isWhole ? strings.cards.showFewer : strings.cards.showAll(lines.length)}
        </button>
      )}
    </div>
  )
}

function Lines({ card, shown }: { card: CodePreviewPayload; shown: number }) {
  const [scroller, scrolls] = useScrolls<HTMLPreElement>()
  const lines = useColours(card.code, card.language) ?? plainLines(card.code)
  const first = card.first_line_num
  const from = card.highlight_start ?? Number.POSITIVE_INFINITY
  const to = card.highlight_end ?? 0
  const digits = String(first + shown).length
  return (
    <pre
      ref={scroller}
      role="group"
      aria-label={strings.cards.code(card.filename, card.highlight_start, card.highlight_end)}
      tabIndex={scrolls ? 0 : undefined}
      style={{ '--digits': digits }}
    >
      <code>
        {lines.slice(0, shown).map((pieces, at) => {
          const number = first + at
          return (
            <span
              key={number}
              class={number >= from && number <= to ? 'code-card-line is-highlighted' : 'code-card-line'}
            >
              <i aria-hidden="true">{number}</i>
              <span>
                <Pieces pieces={pieces} />
                {'\n'}
              </span>
            </span>
          )
        })}
      </code>
    </pre>
  )
}

/** Includes the trailing slash; empty without a folder. */
function folderOf({ filepath, filename }: CodePreviewPayload) {
  return filepath.endsWith(`/${filename}`) ? filepath.slice(0, -filename.length) : ''
}

function rangeOf({ first_line_num: first, total_lines: total }: CodePreviewPayload, shown: number) {
  return shown >= total ? strings.cards.whole(total) : strings.cards.lines(first, first + shown - 1, total)
}
