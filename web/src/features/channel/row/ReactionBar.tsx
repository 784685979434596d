import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { EmojiSign } from '../../../common/EmojiSign.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { reactionsOf } from '../../../store/messages/selectors.ts'
import { displayed } from '../../../store/people/people.ts'
import { viewer } from '../../../store/store.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { part } from '../../../ui/part.ts'
import { passFocus } from '../../../ui/pass-focus.ts'
import { canReact } from '../read-only.ts'
import './ReactionBar.css'

export const reactionParts = part<typeof import('./reaction-parts.ts')>()

export function ReactionBar({ row }: { row: MessagePayload }) {
  const reactions = reactionsOf(row)
  if (reactions.length === 0 || row.deleted === 1) return null
  const isOpen = canReact(row)
  return (
    <div class="reaction-bar">
      {reactions.map(([name, people]) => {
        const mine = people.includes(viewer)
        const label = strings.reaction.by(
          people.map(person => (person === viewer ? strings.you : displayed(person))),
          name,
        )
        return (
          <button
            type="button"
            key={name}
            class={mine ? 'reaction is-own' : 'reaction'}
            aria-pressed={mine}
            onPointerEnter={event =>
              event.pointerType === 'mouse' && showPeople(event.currentTarget, row, name)
            }
            onFocus={event => showPeople(event.currentTarget, row, name)}
            data-reaction={name}
            aria-disabled={!isOpen}
            onClick={event => {
              if (!isOpen) return
              const chip = event.currentTarget
              const beside = reactions.length > 1 && chip.nextElementSibling
              // The chip disappears with its last reaction.
              if (mine && people.length === 1) passFocus(chip, beside || chip.closest('article'))
              reactionParts.use(module => void module.toggleReaction(row, name))
            }}
          >
            <em aria-hidden="true">
              <EmojiSign name={name} />
            </em>
            {people.length}
            <span class="visually-hidden">{label}</span>
          </button>
        )
      })}
      {isOpen && (
        <button
          type="button"
          class="reaction is-add"
          aria-label={strings.actions.addReaction}
          title={strings.actions.addReaction}
          onClick={({ currentTarget: button }) =>
            reactionParts.use(module => module.openReactionPicker(button, row))
          }
        >
          <Icon name="react" size={16} />
        </button>
      )}
    </div>
  )
}

/** Without a toast if it cannot be fetched: the name of the button has the people, too. */
function showPeople(chip: HTMLElement, row: MessagePayload, name: string) {
  reactionParts.load().then(
    module => module.showReactionTip(chip, row, name),
    () => {},
  )
}
