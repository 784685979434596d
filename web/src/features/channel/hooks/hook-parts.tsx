import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { MessageCard, MessagePayload } from '#shared/domain/payloads/messages.ts'
import { Avatar } from '../../../common/Avatar.tsx'
import { EmojiSign } from '../../../common/EmojiSign.tsx'
import { emojiOf } from '../../../common/emoji.ts'
import { strings } from '../../../i18n/i18n.ts'
import { customEmoji } from '../../../store/messages/custom-emoji.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { CardBelow } from '../cards/CardBelow.tsx'
import { Address, MessageBody } from '../row/MessageBody.tsx'
import { cardRows, colorOfCard, isLinkable, textBefore } from './card-texts.ts'
import './hook-parts.css'

interface Props {
  row: MessagePayload
  children?: ComponentChildren
}

/**
 * A message of a hook: its text, and below it the cards in place of their flattened lines. `children` follow the text, or
 * without one the cards.
 */
export function WithCards({ row, children }: Props) {
  const text = textBefore(row)
  return (
    <>
      {text.content && (
        <>
          <MessageBody row={text}>{children}</MessageBody>
          <CardBelow row={text} />
        </>
      )}
      <Cards row={row} cards={row.extra?.cards ?? []} />
      {!text.content && children}
    </>
  )
}

/** `row`: the message, which says whom the texts mention. */
export function Cards({ row, cards }: { row: MessagePayload; cards: readonly MessageCard[] }) {
  return (
    <>
      {cards.map((card, at) => (
        <Card key={at} row={row} card={card} at={at} />
      ))}
    </>
  )
}

function Card({ row, card, at }: { row: MessagePayload; card: MessageCard; at: number }) {
  const { author, author_url, title, url, image, footer, ts, links = [] } = card
  const texts = cardRows(row, card)
  const color = colorOfCard(card.color)
  const addresses = links.filter(link => isLinkable(link.url))
  return (
    <>
      {texts.pretext && <MessageBody row={texts.pretext} />}
      <div class="hook-card" style={color && { '--bar': color }}>
        {author && (
          <div class="hook-card-author">
            <Words words={author} url={author_url} />
          </div>
        )}
        {title && (
          <div class="hook-card-title">
            <Words words={title} url={url} />
          </div>
        )}
        {texts.text && <MessageBody row={texts.text} />}
        <Fields id={`${row.id}/${at}`} fields={card.fields ?? []} texts={texts.fields} />
        {isLinkable(image) && (
          <p class="hook-card-image">
            <Icon name="image" size={16} />
            <Address href={image} words={strings.cards.picture} />
          </p>
        )}
        {addresses.length > 0 && (
          <ul class="hook-card-links">
            {addresses.map((link, at) => (
              <li key={at}>
                <Address href={link.url} words={link.text} />
              </li>
            ))}
          </ul>
        )}
        {(footer || ts !== undefined) && (
          <p class="hook-card-foot">
            {footer && <span dir="auto">{footer}</span>}
            {ts !== undefined && (
              <time title={strings.fullTime(ts)}>{`${strings.date(ts)}, ${strings.time(ts)}`}</time>
            )}
          </p>
        )}
      </div>
    </>
  )
}

/** Fields of a card before its button. */
const SHOWN = 12

/** Cards with all of their fields, by message and place; they stay so while the tab is open. */
const unfolded = new Set<string>()

interface FieldsProps {
  id: string
  fields: NonNullable<MessageCard['fields']>
  texts: (MessagePayload | undefined)[]
}

function Fields({ id, fields, texts }: FieldsProps) {
  const [isWhole, setWhole] = useState(unfolded.has(id))
  if (fields.length === 0) return null
  const toggle = () => {
    if (isWhole) unfolded.delete(id)
    else unfolded.add(id)
    setWhole(!isWhole)
  }
  return (
    <>
      <dl class="hook-card-fields">
        {(isWhole ? fields : fields.slice(0, SHOWN)).map((field, at) => (
          <div key={at} class={field.short ? undefined : 'is-long'}>
            {field.title && <dt dir="auto">{field.title}</dt>}
            <dd>{texts[at] && <MessageBody row={texts[at]} />}</dd>
          </div>
        ))}
      </dl>
      {fields.length > SHOWN && (
        <button type="button" class="message-more" aria-expanded={isWhole} onClick={toggle}>
          {isWhole ? strings.cards.showFewer : strings.cards.showAllFields(fields.length)}
        </button>
      )}
    </>
  )
}

function Words({ words, url }: { words: string; url: string | undefined }) {
  return isLinkable(url) ? <Address href={url} words={words} /> : <span dir="auto">{words}</span>
}

/** The emoji of a hook in the place of a picture; the picture of its bot for an unknown one. */
export function HookSign({ emoji, bot }: { emoji: string; bot: string }) {
  const name = emoji.replace(/^:|:$/g, '')
  if (!customEmoji.value.has(name) && emojiOf(name).startsWith(':')) return <Avatar name={bot} />
  return (
    <span class="avatar avatar-36 is-bot hook-sign" aria-hidden="true">
      <span class="emoji">
        <EmojiSign name={name} />
      </span>
    </span>
  )
}
