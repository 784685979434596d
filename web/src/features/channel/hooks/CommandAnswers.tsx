import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../../../i18n/i18n.ts'
import { current } from '../../../store/channels/channels.ts'
import { type CommandAnswer, commandAnswers } from '../../../store/writing/command-answers.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { WithCards } from './hook-parts.tsx'
import './CommandAnswers.css'

/** Private replies of commands in the open channel, above the composer. */
export function CommandAnswers() {
  const channel = current.value?.id
  const here = commandAnswers.value.filter(one => one.channel === channel)
  if (here.length === 0) return null
  return (
    <div class="message-column">
      <ul class="command-answers" aria-label={strings.ownCommands.onlyYou}>
        {here.map(one => (
          <Shown key={one.key} one={one} />
        ))}
      </ul>
    </div>
  )
}

const rows = new WeakMap<CommandAnswer, MessagePayload>()

function rowOf(one: CommandAnswer): MessagePayload {
  const known = rows.get(one)
  if (known) return known
  const { content, cards, cards_at = content.length } = one.answer
  const row = { id: -one.key, content, mentions: null, extra: { cards, cards_at } }
  rows.set(one, row as unknown as MessagePayload)
  return row as unknown as MessagePayload
}

function Shown({ one }: { one: CommandAnswer }) {
  const texts = strings.ownCommands
  return (
    <li class="command-answer">
      <div class="command-answer-head">
        <Icon name="eye" size={14} />
        <span>
          <bdi>/{one.command}</bdi> · {texts.onlyYou}
        </span>
        <IconButton
          icon="x"
          label={texts.dismiss}
          onClick={() => {
            commandAnswers.value = commandAnswers.value.filter(({ key }) => key !== one.key)
            document.getElementById('composer')?.focus()
          }}
        />
      </div>
      <div role="status">
        <WithCards row={rowOf(one)} />
      </div>
    </li>
  )
}
