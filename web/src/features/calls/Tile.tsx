import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { Avatar, colorOf } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import { displayed } from '../../store/people/people.ts'
import { viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { Call } from './call.ts'
import type { Peer } from './peer.ts'
import { Video } from './Video.tsx'
import './Tile.css'

interface PersonProps {
  call: Call
  name: Username
  small?: boolean
}

/** A person on the stage: a participant, an invited person, or the viewer. */
export function PersonTile({ call, name, small }: PersonProps) {
  const peer = call.peers.value.get(name)
  if (name === viewer) return <OwnTile call={call} small={small} />
  if (peer) return <PeerTile peer={peer} small={small} />
  const asked = call.people.value.find(({ username }) => username === name)?.state === 'pending'
  const sub = asked ? (call.phase.value === 'asking' ? '' : strings.calls.ringing) : strings.calls.connecting
  return (
    <Frame name={name} small={small} pending sub={sub}>
      <bdi>{displayed(name)}</bdi>
    </Frame>
  )
}

function OwnTile({ call, small }: Omit<PersonProps, 'name'>) {
  const { local, levels } = call
  const track = local.camera.value
  const stream = useMemo(() => track && new MediaStream([track]), [track])
  const silent = local.muted.value || !local.microphone.value
  return (
    <Frame
      name={viewer}
      small={small}
      stream={stream}
      mirrored
      speaking={levels.speaking.value}
      sub={call.phase.value === 'asking' ? strings.calls.asking : undefined}
    >
      <Voice speaking={levels.speaking.value} muted={silent} />
      {strings.calls.you}
    </Frame>
  )
}

function PeerTile({ peer, small }: { peer: Peer } & Pick<PersonProps, 'small'>) {
  const about = peer.about.value
  const path = peer.link.path.value
  const sub = {
    new: undefined,
    up: undefined,
    connecting: strings.calls.connecting,
    lost: strings.calls.lost(displayed(peer.name)),
    none: strings.calls.noPath(displayed(peer.name)),
  }[path]
  const camera = peer.camera.value
  const seen = path === 'up' && (about?.camera ?? camera?.getVideoTracks().some(track => !track.muted))
  return (
    <Frame
      name={peer.name}
      small={small}
      stream={seen ? camera : undefined}
      speaking={peer.speaking.value}
      pending={path !== 'up'}
      sub={sub}
    >
      <Voice speaking={peer.speaking.value} muted={about?.muted ?? false} />
      <bdi>{displayed(peer.name)}</bdi>
    </Frame>
  )
}

interface FrameProps {
  name: Username
  stream?: MediaStream | undefined
  mirrored?: boolean
  speaking?: boolean
  pending?: boolean
  sub?: string | undefined
  small?: boolean | undefined
  children: ComponentChildren
}

function Frame({ name, stream, mirrored, speaking, pending, sub, small, children }: FrameProps) {
  const classes = ['call-tile', speaking && 'is-speaking', pending && 'is-pending', small && 'is-small']
  const [ratio, setRatio] = useState<number>()
  return (
    <div
      class={classes.filter(Boolean).join(' ')}
      style={{ '--nc': colorOf(name), '--ratio': stream && ratio }}
      data-person={name}
    >
      {stream ? (
        <Video stream={stream} mirrored={mirrored ?? false} onRatio={setRatio} />
      ) : (
        <Avatar name={name} size={32} />
      )}
      {sub && <span class="call-tile-detail">{sub}</span>}
      <span class="call-tile-label">{children}</span>
    </div>
  )
}

/** Animated bars while somebody speaks, a crossed-out microphone while muted: never by colour alone. */
function Voice({ speaking, muted }: { speaking: boolean; muted: boolean }) {
  if (muted) {
    return (
      <>
        <Icon name="mic-off" size={14} />
        <span class="visually-hidden">{strings.calls.muted}</span>
      </>
    )
  }
  if (!speaking) return <Icon name="mic" size={14} />
  return (
    <>
      <span class="call-tile-volume" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span class="visually-hidden">{strings.calls.speaking}</span>
    </>
  )
}
