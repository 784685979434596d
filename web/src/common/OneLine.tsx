import { EVERYONE } from '#shared/domain/mentions.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { mentionsOf } from '../store/messages/selectors.ts'
import { viewer } from '../store/store.ts'
import { EmojiSign } from './EmojiSign.tsx'
import { MentionName } from './MentionName.tsx'
import { type Block, type Inline, parseMarkup } from './markup.ts'
import { oneLineOf } from './one-line.ts'
import { knownIn, parsedOf } from './parsed-message.ts'
import { textOf } from './text-of.ts'

/** Characters of a text that are parsed for one line. */
const LONGEST = 400

/**
 * A text in one line without losing its meaning: struck words are struck, items stand apart, emoji are drawn. Names of
 * people who are not the viewer are shown only where the server says whom the text mentions (`row`).
 */
export function OneLine({ text }: { text: string }) {
  return <Line blocks={parseMarkup(text.slice(0, LONGEST), knownIn([viewer, EVERYONE]))} />
}

/** Without text, the name of its file. */
export function OneLineOfRow({ row }: { row: MessagePayload }) {
  const content = row.content ?? ''
  if (content.trim() === '') return <>{textOf(row)}</>
  if (content.length <= LONGEST) return <Line blocks={parsedOf(row)} />
  return <Line blocks={parseMarkup(content.slice(0, LONGEST), knownIn(mentionsOf(row), row.extra?.groups))} />
}

const Line = ({ blocks }: { blocks: Block[] }) => <Parts nodes={oneLineOf(blocks)} />

function Parts({ nodes }: { nodes: Inline[] }) {
  return (
    <>
      {nodes.map((node, at) => (
        <Part key={at} node={node} />
      ))}
    </>
  )
}

function Part({ node }: { node: Inline }) {
  switch (node.kind) {
    case 'strike':
      return (
        <s>
          <Parts nodes={node.children} />
        </s>
      )
    case 'strong':
    case 'em':
      return <Parts nodes={node.children} />
    case 'emoji':
      return <EmojiSign name={node.name} />
    case 'mention':
      return <MentionName name={node.name} username={node.username} />
    case 'group':
      return <>@{node.name}</>
    case 'channel':
      return <>#{node.name}</>
    case 'break':
      return <> </>
    default:
      return <>{node.text}</>
  }
}
