import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { OgPreviewPayload } from '#shared/rules/payloads.ts'
import { Icon } from '../ui/Icon.tsx'

interface Props {
  card: OgPreviewPayload
  address: string
  isFolded: boolean
  buttons: ComponentChildren
}

/** Only ours: a reader's browser asks no other server for anything. */
const OURS = /^\/card_picture\/[0-9a-f]{32}$/
const lost = new Set<string>()

/** The link is the title, and reaches over the whole card; it leads where the message says, whatever the page says. */
export function OgCard({ card, address, isFolded, buttons }: Props) {
  const [, drawAgain] = useState(0)
  const picture = OURS.test(card.image) && !isFolded ? card.image : undefined
  const classes = ['card ogcard', isFolded && 'folded', picture && (lost.has(picture) ? 'lost' : 'with-th')]
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <div class="tx">
        <div class="dm">
          <Icon name="link" size={14} />
          <span>{card.domain}</span>
        </div>
        <a class="ti" dir="auto" href={address} target="_blank" rel="noopener noreferrer">
          {card.title}
        </a>
        {card.description && !isFolded && (
          <p class="de" dir="auto">
            {card.description}
          </p>
        )}
      </div>
      {picture && !lost.has(picture) && (
        <img
          class="th"
          src={picture}
          alt=""
          decoding="async"
          draggable={false}
          // Its place goes with it, and the text keeps its width: nothing below moves.
          onError={() => drawAgain(lost.add(picture).size)}
        />
      )}
      <div class="card-acts">{buttons}</div>
    </div>
  )
}
