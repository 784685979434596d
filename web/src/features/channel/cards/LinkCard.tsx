import { useRef } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../../../i18n/i18n.ts'
import { linkCard, wantLinkCard } from '../../../net/messages/link-previews.ts'
import { isDismissed, setDismissed } from '../../../store/messages/dismissed-cards.ts'
import { viewer } from '../../../store/store.ts'
import { showToast } from '../../../ui/feedback.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { CodeCard } from './CodeCard.tsx'
import { OgCard } from './OgCard.tsx'
import { useOnScreen } from './on-screen.ts'
import './cards.css'

export interface LinkCardProps {
  row: MessagePayload
  address: string
}

/** Requests the preview after the message has been in view for a moment; renders nothing until then, and for `{}`. */
export function LinkCard({ row, address }: LinkCardProps) {
  const place = useRef<HTMLDivElement>(null)
  const isHidden = isDismissed(row.id, 'hidden')
  const isFolded = isDismissed(row.id, 'folded')
  const card = linkCard(address).value
  useOnScreen(place, card || isHidden ? undefined : () => wantLinkCard(address))

  const buttons = (
    <>
      <IconButton
        size={28}
        label={isFolded ? strings.cards.unfold : strings.cards.fold}
        icon={isFolded ? 'chev-right' : 'chev-down'}
        flip={isFolded}
        onClick={() => setDismissed(row.id, 'folded', !isFolded)}
      />
      {row.sender === viewer && (
        <IconButton
          size={28}
          label={strings.cards.hide}
          icon="x"
          onClick={event => hide(row.id, event.currentTarget)}
        />
      )}
    </>
  )
  return (
    <div ref={place}>
      {!isHidden && card?.type === 'og' && (
        <OgCard card={card} address={address} isFolded={isFolded} buttons={buttons} />
      )}
      {!isHidden && card?.type === 'code' && (
        <CodeCard name={`${row.id}`} card={card} address={address} isFolded={isFolded} buttons={buttons} />
      )}
    </div>
  )
}

function hide(id: number, button: HTMLElement) {
  button.closest<HTMLElement>('article')?.focus({ preventScroll: true })
  setDismissed(id, 'hidden', true)
  showToast(strings.cards.hidden, {
    action: { label: strings.undo, run: () => setDismissed(id, 'hidden', false) },
  })
}
