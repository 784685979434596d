import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ChannelId } from '#shared/domain/units.ts'
import { composerField } from '../../common/composer-field.ts'
import { strings } from '../../i18n/i18n.ts'
import { current } from '../../store/channels/channels.ts'
import { plainName } from '../../store/channels/names.ts'
import { connection, isPhone, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useLayer } from '../../ui/layers.ts'
import { Controls } from './Controls.tsx'
import type { Call } from './call.ts'
import { Duo } from './Duo.tsx'
import { Duration } from './Duration.tsx'
import { gridOf, onStage } from './grid.ts'
import { onCallKey } from './keys.ts'
import { ShareTile } from './ShareTile.tsx'
import { isSoundHeld, releaseSound } from './sound.ts'
import { conversationShown, isBeside, minimised, ongoing, stage, watched } from './state.ts'
import { PersonTile } from './Tile.tsx'
import type { WatchedShare } from './watched-share.ts'
import './Stage.css'
import './tiles.css'

const view = signal<'grid' | 'spotlight'>('grid')
/** A new screen share opens in the spotlight; the user may choose the grid again. */
const viewOfShare = signal<'grid' | 'spotlight'>('spotlight')

export function Stage() {
  if (stage.value === 'call' && ongoing.value) return <CallStage call={ongoing.value} />
  return watched.value ? <ShareStage watching={watched.value} /> : null
}

/** The buttons that begin and end a call disappear with their press: the focus goes on. */
function useFocus() {
  useEffect(() => {
    const focus = (find: () => HTMLElement | null | undefined) =>
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) find()?.focus({ preventScroll: true })
      })
    const control = () => document.querySelector<HTMLElement>('.call-controls button')
    focus(() => (isBeside.peek() ? composerField() : control()))
    return () => void focus(() => (isPhone.peek() ? null : composerField()))
  }, [])
}

function CallStage({ call }: { call: Call }) {
  const open = current.value?.id
  // When another channel is opened, the call moves into the corner.
  useLeavingChannel(call.channel, () => {
    minimised.value = true
  })
  useFocus()
  // On a phone it covers the conversation.
  useLayer(isPhone.value ? () => (minimised.value = true) : undefined)
  useEffect(() => {
    addEventListener('keydown', onCallKey, true)
    return () => removeEventListener('keydown', onCallKey, true)
  }, [])
  const sharer = call.sharer.value
  const screen = sharer !== undefined && sharer !== viewer ? call.peers.value.get(sharer) : undefined
  const chosen = screen ? viewOfShare : view
  return (
    <section
      class="stage"
      aria-label={strings.calls.label}
      role={isBeside.value ? undefined : 'main'}
      data-region="call"
    >
      <header class="channel-header">
        {isPhone.value && (
          <IconButton
            icon="chev-down"
            label={strings.calls.back}
            iconSize={20}
            onClick={() => {
              minimised.value = true
            }}
          />
        )}
        <StageTitle channel={call.channel} />
        {call.phase.value === 'active' && (
          <span class="stage-live">
            <Duration since={call.answeredTs.value} />
          </span>
        )}
        <span class="grow" />
        {!isPhone.value && (
          <>
            <ViewButton icon="grid" label={strings.calls.grid} chosen={chosen} of="grid" />
            <ViewButton icon="spotlight" label={strings.calls.spotlight} chosen={chosen} of="spotlight" />
            {!isBeside.value && open === call.channel && <ConversationButton />}
            <IconButton
              icon="minimize"
              label={strings.calls.minimise}
              onClick={() => {
                minimised.value = true
              }}
            />
          </>
        )}
      </header>
      <Notes call={call} />
      <Tiles call={call} isSpotlight={chosen.value === 'spotlight'} hasScreen={screen !== undefined} />
      <Controls call={call} />
    </section>
  )
}

function Tiles({ call, isSpotlight, hasScreen }: { call: Call; isSpotlight: boolean; hasScreen: boolean }) {
  if (!hasScreen && call.shown.value.length <= 2) return <Duo call={call} />
  return isSpotlight ? <Spotlight call={call} /> : <People call={call} />
}

function StageTitle({ channel }: { channel: ChannelId }) {
  return (
    <h1>
      {channel.startsWith('private:') && <Icon name="lock" size={20} />}
      <span class="channel-header-name">{plainName(channel)}</span>
    </h1>
  )
}

interface ViewButtonProps {
  icon: string
  label: string
  chosen: typeof view
  of: 'grid' | 'spotlight'
}

function ViewButton({ icon, label, chosen, of }: ViewButtonProps) {
  return (
    <IconButton
      icon={icon}
      label={label}
      aria-pressed={chosen.value === of}
      onClick={() => {
        chosen.value = of
      }}
    />
  )
}

function ConversationButton() {
  return (
    <IconButton
      icon="message"
      label={strings.calls.showConversation}
      onClick={() => {
        conversationShown.value = true
      }}
    />
  )
}

/** A line above the tiles for the state of the whole call. */
function Notes({ call }: { call: Call }) {
  return (
    <div class="stage-notes" role="status">
      {isSoundHeld.value && (
        <p class="stage-note">
          {strings.calls.soundHeld}
          <button type="button" class="button-link" onClick={() => void releaseSound()}>
            {strings.calls.soundOn}
          </button>
        </p>
      )}
      {call.local.screen.value && (
        <p class="stage-note">
          <Icon name="screen" size={16} />
          {strings.calls.youShare}
          <button type="button" class="button-link" onClick={() => void call.stopSharing()}>
            {strings.calls.shareStop}
          </button>
        </p>
      )}
      {connection.value === 'dead' && <p class="stage-note">{strings.calls.reconnecting}</p>}
    </div>
  )
}

function People({ call }: { call: Call }) {
  const all = call.shown.value
  const sharer = call.sharer.value
  const screen = sharer !== undefined && sharer !== viewer ? call.peers.value.get(sharer) : undefined
  const grid = gridOf(all.length + (screen ? 1 : 0), isPhone.value)
  const room = grid.shown - (screen ? 1 : 0)
  const people = onStage(all, viewer, room, call.levels.spoke.value)
  const wide = (at: number) => grid.firstIsWide && at === 0
  return (
    <div
      class="stage-tiles"
      style={{
        'grid-template-columns': `repeat(${grid.columns}, minmax(0, 1fr))`,
        'grid-template-rows': `repeat(${grid.rows}, minmax(0, 1fr))`,
      }}
    >
      {screen && <ShareTile name={screen.name} stream={screen.screen.value} />}
      {people.map((name, at) => (
        <div key={name} class={`stage-cell${!screen && wide(at) ? ' is-wide' : ''}`}>
          <PersonTile call={call} name={name} />
        </div>
      ))}
      {all.length > people.length && (
        <div class="call-tile is-more" title={all.filter(name => !people.includes(name)).join(', ')}>
          <b aria-hidden="true">{strings.calls.more(all.length - people.length)}</b>
          <span class="visually-hidden">{strings.calls.moreLabel(all.length - people.length)}</span>
        </div>
      )}
    </div>
  )
}

/** A large tile with the others in a strip: the shared screen, or the last speaker. */
function Spotlight({ call }: { call: Call }) {
  const all = call.shown.value
  const sharer = call.sharer.value
  const screen = sharer !== undefined && sharer !== viewer ? call.peers.value.get(sharer) : undefined
  const spoke = call.levels.spoke.value
  const others = all.filter(name => name !== viewer)
  const [first = viewer] = [...others].sort((a, b) => (spoke.get(b) ?? 0) - (spoke.get(a) ?? 0))
  const strip = screen ? all : all.filter(name => name !== first)
  return (
    <div class={`stage-spotlight${strip.length === 0 ? ' is-alone' : ''}`}>
      {screen ? (
        <ShareTile name={screen.name} stream={screen.screen.value} />
      ) : (
        <PersonTile call={call} name={first} />
      )}
      {strip.length > 0 && (
        <div class="stage-strip">
          {strip.map(name => (
            <PersonTile key={name} call={call} name={name} small />
          ))}
        </div>
      )}
    </div>
  )
}

/** A screen share without a call: the same stage, with a single control to stop watching. */
function ShareStage({ watching }: { watching: WatchedShare }) {
  const { share, screen, link } = watching
  useLeavingChannel(share.channel, () => watching.close())
  useLayer(isPhone.value ? () => watching.close() : undefined)
  const path = link.path.value
  const note = {
    new: undefined,
    up: undefined,
    connecting: strings.calls.connecting,
    lost: strings.calls.lost(share.sharer),
    none: strings.calls.noPath(share.sharer),
  }[path]
  return (
    <section
      class="stage"
      aria-label={strings.shares.label}
      role={isBeside.value ? undefined : 'main'}
      data-region="call"
    >
      <header class="channel-header">
        <StageTitle channel={share.channel} />
        <span class="grow" />
        {!isBeside.value && !isPhone.value && <ConversationButton />}
        <button type="button" class="button stage-button" onClick={() => watching.close()}>
          {strings.shares.stopWatching}
        </button>
      </header>
      <div class="stage-notes" role="status">
        {note && <p class="stage-note">{note}</p>}
      </div>
      <div class="stage-spotlight is-alone">
        <ShareTile name={share.sharer} stream={screen.value} />
      </div>
    </section>
  )
}

/** Calls `leave` when a channel other than `channel` is opened. */
function useLeavingChannel(channel: ChannelId, leave: () => void) {
  const open = current.value?.id
  const before = useRef(open)
  useEffect(() => {
    if (before.current !== open && open !== channel) leave()
    before.current = open
  }, [open, channel])
}

/** Header of the conversation beside a stage. */
export function ConversationHead() {
  return (
    <div class="panel-head">
      <h2>{strings.calls.conversation}</h2>
      <IconButton
        icon="x"
        label={strings.calls.hideConversation}
        onClick={() => {
          conversationShown.value = false
        }}
      />
    </div>
  )
}
