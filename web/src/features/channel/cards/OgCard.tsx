import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { OgPreviewPayload } from '#shared/domain/payloads/previews.ts'
import { Icon } from '../../../ui/Icon.tsx'

interface Props {
  card: OgPreviewPayload
  address: string
  isFolded: boolean
  buttons: ComponentChildren
}

/** Only this server's pictures: readers' browsers request nothing from other servers. */
const OURS = /^\/card_picture\/[0-9a-f]{32}$/
const lost = new Set<string>()

/** The title is the link and covers the card; it leads to the message's address, whatever the page claims. */
export function OgCard({ card, address, isFolded, buttons }: Props) {
  const [, drawAgain] = useState(0)
  const picture = OURS.test(card.image) && !isFolded ? card.image : undefined
  const classes = [
    'card link-card',
    isFolded && 'is-folded',
    picture && (lost.has(picture) ? 'is-lost' : 'has-thumbnail'),
  ]
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <div class="link-card-text">
        <div class="link-card-domain">
          <Icon name="link" size={14} />
          <span>{card.domain}</span>
        </div>
        <a class="link-card-title" dir="auto" href={address} target="_blank" rel="noopener noreferrer">
          {card.title}
        </a>
        {card.description && !isFolded && (
          <p class="link-card-description" dir="auto">
            {card.description}
          </p>
        )}
      </div>
      {picture && !lost.has(picture) && (
        <img
          class="link-card-thumbnail"
          src={picture}
          alt=""
          decoding="async"
          draggable={false}
          // The picture's column disappears, but the text keeps its width, so nothing below moves.
          onError={() => drawAgain(lost.add(picture).size)}
        />
      )}
      <div class="card-actions">{buttons}</div>
    </div>
  )
}
