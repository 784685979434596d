import { DELETED_SENDER, defaultColorIndex } from '#shared/domain/username.ts'
import { strings } from '../i18n/i18n.ts'
import { displayed, isBot, personOf } from '../store/people/people.ts'
import { nameColors, pictureOf } from '../store/people/profiles.ts'
import { presenceOf } from '../store/store.ts'
import { initialsIn } from './initials.ts'
import './people.css'

interface Props {
  name: string
  size?: 14 | 16 | 20 | 24 | 28 | 32 | 36 | 40 | 64
  presence?: boolean
}

export function Avatar({ name, size = 36, presence: isWanted }: Props) {
  const picture = pictureOf(name)
  const isOfBot = isBot(name)
  const presence = isWanted && !isOfBot
  return (
    <span
      class={`avatar avatar-${size}${presence ? ' has-dot' : ''}${isOfBot ? ' is-bot' : ''}`}
      style={{ '--nc': colorOf(name) }}
    >
      {picture ? (
        <img src={picture} alt="" draggable={false} />
      ) : (
        // Initials come from CSS: as text they would become part of the name of the button around the picture.
        <span
          class="avatar-initials"
          data-initials={size > 16 ? initialsOf(name) : initialsOf(name).slice(0, 1)}
          aria-hidden="true"
        />
      )}
      {presence && <PresenceDot name={name} />}
    </span>
  )
}

export function PresenceDot({ name }: { name: string }) {
  const state = presenceOf(name)
  const shape = { active: '', idle: ' is-idle', hidden: ' is-hidden', offline: ' is-off' }[state]
  return <span class={`presence-dot${shape}`} role="img" aria-label={strings.presence[state]} />
}

/** `words`: shown in place of the name. */
export function PersonName({ name, words }: { name: string; words?: string | undefined }) {
  return (
    <bdi
      class={personOf(name)?.active === false ? 'person-name is-gone' : 'person-name'}
      style={{ '--nc': colorOf(name) }}
      title={words || personOf(name)?.display_name ? `@${name}` : undefined}
    >
      {words || displayed(name)}
    </bdi>
  )
}

/** The chosen colour, else one of twelve by the name. The style sheet keeps either readable. */
export function colorOf(name: string) {
  if (name === DELETED_SENDER) return 'var(--c-text-3)'
  return nameColors.value.get(name) ?? `var(--name-${defaultColorIndex(name)})`
}

/** The initials of the name that colleagues see. */
export const initialsOf = (name: string) => initialsIn(personOf(name)?.display_name || name)
