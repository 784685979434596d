import type { MessagePayload } from '#shared/domain/payloads.ts'
import { firstScreen } from '../../app/first-screen.ts'
import { preferred } from '../../store/preferences.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { firstLink } from '../channel/markup.ts'
import { parsedOf } from '../channel/parsed.ts'

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
