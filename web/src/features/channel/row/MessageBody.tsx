import type { ComponentChildren } from 'preact'
import { EVERYONE } from '#shared/domain/mentions.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { EmojiSign } from '../../../common/EmojiSign.tsx'
import { isEmojiOnly } from '../../../common/emoji-only.ts'
import { MentionName } from '../../../common/MentionName.tsx'
import type { Block, Inline } from '../../../common/markup.ts'
import { parsedOf } from '../../../common/parsed-message.ts'
import { strings } from '../../../i18n/i18n.ts'
import { channelNamed } from '../../../store/channels/names.ts'
import { ownLink } from '../../../store/own-links.ts'
import { groupNamed } from '../../../store/people/groups.ts'
import { displayed } from '../../../store/people/people.ts'
import { useScrolls } from '../../../ui/scrolls.ts'
import { openGroup } from '../../groups/open-groups.ts'
import { openProfile } from '../../people/open-profile.ts'
import { ChannelLink, OwnLink } from '../OwnLink.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { LongText } from './LongText.tsx'
import { mayBeLong } from './long-texts.ts'
import './MessageBody.css'

interface Props {
  row: MessagePayload
  children?: ComponentChildren
}

/**
 * The text of a message as elements, never HTML. `children` follow the last line.
 * Elements with a `dir` of their own (names, code, addresses) do not count for the direction of the text.
 */
export function MessageBody({ row, children }: Props) {
  const parsed = parsedOf(row)
  if (mayBeLong(row.content ?? '')) {
    return (
      <LongText id={row.id}>
        <Blocks blocks={parsed} last={children} />
      </LongText>
    )
  }
  return (
    <div class={isEmojiOnly(parsed) ? 'message-text is-emoji-only' : 'message-text'} dir="auto">
      <Blocks blocks={parsed} last={children} />
    </div>
  )
}

function Blocks({ blocks, last }: { blocks: Block[]; last?: ComponentChildren }) {
  return (
    <>
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} last={at === blocks.length - 1 ? last : undefined} />
      ))}
      {blocks.length === 0 && last}
    </>
  )
}

function BlockView({ block, last }: { block: Block; last?: ComponentChildren }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Inlines nodes={block.children} />
          {last}
        </p>
      )
    case 'code':
      return (
        <>
          <CodeBlock language={block.language} title={block.title} text={block.text} />
          {last}
        </>
      )
    case 'quote':
      return (
        <>
          <blockquote>
            <Blocks blocks={block.children} />
          </blockquote>
          {last}
        </>
      )
    case 'list':
      return <ListView block={block} last={last} />
    case 'table':
      return (
        <>
          <TableView block={block} />
          {last}
        </>
      )
  }
}

interface ListProps {
  block: Extract<Block, { kind: 'list' }>
  last?: ComponentChildren
}

/** Items have the numbers that were typed. */
function ListView({ block, last }: ListProps) {
  const items = block.items.map(({ number, children }, at) => (
    <li key={at} value={block.ordered ? number : undefined}>
      <Blocks blocks={children} last={at === block.items.length - 1 ? last : undefined} />
    </li>
  ))
  if (!block.ordered) return <ul>{items}</ul>
  const digits = Math.max(...block.items.map(({ number }) => String(number).length))
  return <ol style={{ '--digits': digits }}>{items}</ol>
}

/** Scrolls within the row, and is focusable when it does. */
function TableView({ block: { aligned, rows } }: { block: Extract<Block, { kind: 'table' }> }) {
  const [scroller, scrolls] = useScrolls<HTMLDivElement>()
  const [head, ...body] = rows
  const cellsOf = (row: Inline[][], Cell: 'th' | 'td') =>
    row.map((cell, at) => (
      <Cell key={at} class={`is-${aligned[at]}`} dir="auto">
        <Inlines nodes={cell} />
      </Cell>
    ))
  return (
    <div
      ref={scroller}
      class="message-table"
      role="group"
      aria-label={strings.cards.table}
      tabIndex={scrolls ? 0 : undefined}
    >
      <table>
        <thead>
          <tr>{cellsOf(head!, 'th')}</tr>
        </thead>
        <tbody>
          {body.map((row, at) => (
            <tr key={at}>{cellsOf(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Inlines({ nodes }: { nodes: Inline[] }) {
  return (
    <>
      {nodes.map((node, at) => (
        <InlineView key={at} node={node} />
      ))}
    </>
  )
}

function InlineView({ node }: { node: Inline }) {
  switch (node.kind) {
    case 'text':
      return <>{node.text}</>
    case 'break':
      return <br />
    case 'strong':
      return (
        <strong>
          <Inlines nodes={node.children} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inlines nodes={node.children} />
        </em>
      )
    case 'strike':
      return (
        <s>
          <Inlines nodes={node.children} />
        </s>
      )
    case 'code':
      return <code dir="ltr">{node.text}</code>
    case 'link':
      return <Address href={node.href} words={node.text} />
    case 'channel': {
      const id = channelNamed(node.name)
      return id === undefined ? <>#{node.name}</> : <ChannelLink id={id} name={node.name} />
    }
    case 'emoji':
      return (
        <span title={`:${node.name}:`}>
          <EmojiSign name={node.name} />
        </span>
      )
    case 'group':
      return <GroupMention handle={node.name} />
    case 'mention':
      return (
        <MentionName
          name={node.name}
          username={node.username}
          onOpen={node.username === EVERYONE ? undefined : anchor => openProfile(anchor, node.username)}
        />
      )
  }
}

/** A link, in place for this server. */
export function Address({ href, words }: { href: string; words: string }) {
  const own = ownLink(href)
  if (own) return <OwnLink href={href} link={own} words={words} />
  return (
    // The words of a link may claim anything, so the title shows its address.
    <a
      dir={words === href ? 'ltr' : undefined}
      href={href}
      title={words === href ? undefined : href}
      target="_blank"
      rel="noopener noreferrer"
    >
      {words}
    </a>
  )
}

/** People of a group in its title. */
const NAMED = 20

/** Without a list for guests, and for a group that is gone. */
function GroupMention({ handle }: { handle: string }) {
  const group = groupNamed(handle)
  return (
    // biome-ignore lint/a11y: the row is the tab stop of the list, and its menu opens the group
    <span
      class={group?.mine ? 'mention is-viewer' : 'mention'}
      dir="ltr"
      title={group && `${group.name}: ${group.members.slice(0, NAMED).map(displayed).join(', ')}`}
      onClick={group && (event => openGroup(event.currentTarget, handle))}
    >
      @{handle}
    </span>
  )
}
