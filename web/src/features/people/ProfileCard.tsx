import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dmId } from '#shared/domain/channel-id.ts'
import type { PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { ProfilePayload } from '#shared/domain/payloads/people.ts'
import type { Username } from '#shared/domain/units.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { insertIntoComposer } from '../../common/composer-field.ts'
import { PersonTag } from '../../common/StatusMark.tsx'
import { strings } from '../../i18n/i18n.ts'
import { profileChanged } from '../../net/people/profiles.ts'
import { Failure } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { privateMembers, profile } from '../../net/requests/lazy-endpoints.ts'
import { peopleInCalls } from '../../store/calls.ts'
import { current } from '../../store/channels/channels.ts'
import { isBot, personOf } from '../../store/people/people.ts'
import { reportedPresenceOf } from '../../store/people/presence.ts'
import { hashOf } from '../../store/route.ts'
import { isPhone, panel, privateChannels, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { closePopover } from '../../ui/Popover.tsx'
import { startCall } from '../calls/open-calls.ts'
import { startConversation } from '../new-dm/open-new-dm.ts'
import { openSettings } from '../settings/open-settings.ts'
import { BotFacts } from './BotFacts.tsx'
import { PersonFacts } from './PersonFacts.tsx'
import './ProfileCard.css'

/** A person's profile with actions: message, call, mention, shared channels (ui.md 5.8). */
export function ProfileCard({ name }: { name: Username }) {
  const [found, setFound] = useState<ProfilePayload | 'gone' | undefined>(undefined)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true }), [])
  useEffect(() => {
    void look(name).then(setFound)
  }, [name])
  const state = reportedPresenceOf(name) ?? (found && found !== 'gone' ? found.state : 'offline')
  const isGone = found === 'gone'
  const person = personOf(name)
  return (
    <div class="profile-card" ref={box}>
      <div class="profile-card-head">
        <Avatar name={name} size={64} presence={!isGone} />
        <div>
          <h2>
            <PersonName name={name} /> <PersonTag name={name} />
          </h2>
          {person?.display_name && <p>@{name}</p>}
          <p>
            {isGone
              ? strings.profile.gone
              : person?.active === false
                ? strings.profileCard.deactivated
                : isBot(name)
                  ? ''
                  : peopleInCalls.value.has(name)
                    ? strings.people.inCall
                    : strings.profile.now[state]}
          </p>
        </div>
      </div>
      {person && <PersonFacts person={person} />}
      {isBot(name) && <BotFacts name={name} />}
      {name === viewer ? (
        <div class="profile-card-actions">
          <Act label={strings.profile.edit} primary run={() => openSettings('profile')} />
        </div>
      ) : (
        <div class="profile-card-actions">
          <Act label={strings.profile.message} primary run={() => go(() => startConversation([name]))} />
          {!isGone && person?.active !== false && !isBot(name) && (
            <Act
              label={strings.profile.call}
              icon="phone"
              run={() => go(() => void startCall(dmId([viewer, name]), false))}
            />
          )}
          {current.value?.members.value.includes(name) && (
            <Act
              label={strings.profile.mention}
              icon="at"
              run={() => go(() => insertIntoComposer(`@${name}`))}
            />
          )}
        </div>
      )}
      {name !== viewer && <Shared name={name} />}
    </div>
  )
}

/** Closes the panel first on a phone, where it covers the target. */
function go(to: () => void) {
  if (isPhone.peek()) panel.value = undefined
  to()
}

async function look(name: Username): Promise<ProfilePayload | 'gone' | undefined> {
  try {
    const loaded = await profile(name)
    profileChanged(loaded.username, { color: loaded.name_color, avatar: loaded.avatar })
    return loaded
  } catch (error) {
    tolerateFailure(error)
    return error.status === 404 ? 'gone' : undefined
  }
}

interface ActProps {
  label: string
  icon?: string
  primary?: boolean
  run: () => void
}

function Act({ label, icon, primary, run }: ActProps) {
  return (
    <button
      type="button"
      class={primary ? 'button button-primary' : 'button'}
      aria-label={icon ? label : undefined}
      title={icon ? label : undefined}
      onClick={() => {
        closePopover()
        run()
      }}
    >
      {icon ? <Icon name={icon} /> : label}
    </button>
  )
}

/** Private channels that both are members of. */
function Shared({ name }: { name: Username }) {
  const [shared, setShared] = useState<PrivateChannelPayload[]>([])
  useEffect(() => {
    let here = true
    void sharedWith(name).then(list => {
      if (here) setShared(list)
    })
    return () => {
      here = false
    }
  }, [name])
  if (shared.length === 0) return null
  return (
    <p class="hint profile-card-also">
      <Sentence channels={shared} />
    </p>
  )
}

/** Placeholder of a channel, as its place in the sentence depends on the language. */
const MARK = '\u0001'

function Sentence({ channels }: { channels: PrivateChannelPayload[] }) {
  const parts = strings.profile.alsoIn(channels.map((_, at) => `${MARK}${at}${MARK}`)).split(MARK)
  const link = (channel: PrivateChannelPayload): ComponentChildren => (
    <a
      key={channel.id}
      href={hashOf(channel.channel)}
      onClick={() => {
        closePopover(false)
        if (isPhone.peek()) panel.value = undefined
      }}
    >
      {channel.name}
    </a>
  )
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : link(channels[Number(part)]!)))}</>
}

async function sharedWith(name: Username): Promise<PrivateChannelPayload[]> {
  const all = privateChannels.peek()
  const members = await Promise.allSettled(all.map(channel => privateMembers(channel.id)))
  return all.filter((_, at) => {
    const answer = members[at]!
    if (answer.status === 'fulfilled') return answer.value.some(member => member.username === name)
    // Just lost, or offline: leave it out.
    if (!(answer.reason instanceof Failure)) throw answer.reason
    return false
  })
}
