import type { MessagePayload } from '#shared/domain/payloads.ts'
import { firstLink } from '../../../common/markup.ts'
import { parsedOf } from '../../../common/parsed-message.ts'
import { preferred } from '../../../store/preferences.ts'
import { LinkCard } from './LinkCard.tsx'

/** The card of a message's first link (ui.md 5.4), unless turned off. */
export function CardBelow({ row }: { row: MessagePayload }) {
  const address = preferred.showCards.value && row.id > 0 ? firstLink(parsedOf(row)) : undefined
  return address !== undefined && <LinkCard key={address} row={row} address={address} />
}
