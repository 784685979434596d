import type { MessagePayload } from '#shared/domain/payloads.ts'
import { firstLink } from '../../../common/markup.ts'
import { parsedOf } from '../../../common/parsed-message.ts'
import { firstScreen } from '../../../store/first-screen.ts'
import { preferred } from '../../../store/preferences.ts'
import { lazyComponent } from '../../../ui/lazy.tsx'

export interface LinkCardProps {
  row: MessagePayload
  address: string
}

const LinkCard = lazyComponent<LinkCardProps>(async () => {
  await firstScreen()
  return (await import('./LinkCard.tsx')).LinkCard
})

/** The card of a message's first link (ui.md 5.4), unless turned off. Its code is fetched with the first link. */
export function CardBelow({ row }: { row: MessagePayload }) {
  const address = preferred.showCards.value && row.id > 0 ? firstLink(parsedOf(row)) : undefined
  const Card = address === undefined ? undefined : LinkCard.get()
  return address !== undefined && Card ? <Card key={address} row={row} address={address} /> : null
}
