import { useId } from 'preact/hooks'
import { CHANNEL_LEVELS } from '#shared/domain/channel-level.ts'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { muteItem } from '../../common/channel-level.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { strings } from '../../i18n/i18n.ts'
import { leavePublicChannel, setArchived } from '../../net/channels/public-channels.ts'
import { chooseForChannel } from '../../net/channels/sidebar-changes.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { isPrivate } from '../../store/channels/names.ts'
import { displayed } from '../../store/people/people.ts'
import { hashOf } from '../../store/route.ts'
import { channelChoices, isChannelMuted } from '../../store/sidebar/channel-choices.ts'
import { config, me, privateChannels, publicChannels, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { incomingHooksPart, mayMakeHooks } from '../administration/open-hooks.ts'
import { openChannelDetails, openLeaveDialog } from '../browse/open-browse.ts'
import { EditableText } from './EditableText.tsx'

const LONGEST_TOPIC = 250
const LONGEST_DESCRIPTION = 2_000

/** Texts and facts of a channel, the viewer's choices for it, and the actions that the viewer may take. */
export function AboutTab({ channel }: { channel: Channel }) {
  const info = channel.info.value
  const { id } = channel
  return (
    <>
      {info && info.kind !== 'dm' && <Texts info={info} />}
      {channelChoices.value?.has(id) && <TellMe channel={id} />}
      <OwnChoices channel={id} />
      {info && info.kind !== 'dm' && <Facts info={info} />}
      {info && <Hooks info={info} />}
      {isPrivate(id) ? (
        <PrivateActions channel={id} info={info} />
      ) : (
        <PublicActions channel={id} info={info} />
      )}
    </>
  )
}

function Texts({ info }: { info: ChannelInfoPayload }) {
  const texts = strings.about
  const manages = info.may.includes('manage')
  const isJoined = info.kind === 'private' || publicChannels.value.includes(info.channel)
  const mayWrite = info.may.includes('post') && isJoined && me.value?.role !== 'guest'
  return (
    <>
      <EditableText
        info={info}
        field="topic"
        label={texts.topic}
        none={texts.noTopic}
        longest={LONGEST_TOPIC}
        mayEdit={!info.archived && (manages || mayWrite)}
      />
      <EditableText
        info={info}
        field="description"
        label={texts.description}
        none={texts.noDescription}
        longest={LONGEST_DESCRIPTION}
        mayEdit={!info.archived && manages}
      />
    </>
  )
}

/** The level of the channel. */
function TellMe({ channel }: { channel: ChannelId }) {
  const texts = strings.details
  const name = useId()
  const level = channelChoices.value?.get(channel)?.level
  return (
    <section class="details-part" aria-labelledby={name}>
      <h3 id={name}>{texts.tellMe}</h3>
      <div class="details-levels" role="radiogroup" aria-labelledby={name}>
        {CHANNEL_LEVELS.map(one => (
          <label key={one} class="details-level">
            <input
              type="radio"
              name={name}
              checked={one === level}
              onChange={() => void chooseForChannel(channel, { level: one })}
            />
            <span>
              {strings.rowMenu.levels[one]}
              {one === 'nothing' && <span class="hint">{texts.numberStays}</span>}
            </span>
          </label>
        ))}
      </div>
    </section>
  )
}

function OwnChoices({ channel }: { channel: ChannelId }) {
  const texts = strings.details
  const choice = channelChoices.value?.get(channel)
  const copy = () => {
    const address = `${location.origin}${location.pathname}${hashOf(channel)}`
    void copyToClipboard(address, strings.actions.linkCopied)
  }
  return (
    <div class="details-part">
      {choice && (
        <>
          <MuteButton channel={channel} />
          <button
            type="button"
            class="option details-favourite"
            aria-pressed={choice.favourite}
            onClick={() => void chooseForChannel(channel, { favourite: !choice.favourite })}
          >
            <Icon name="star" />
            {choice.favourite ? texts.isFavourite : strings.rowMenu.favourite}
          </button>
        </>
      )}
      <button type="button" class="option" onClick={copy}>
        <Icon name="link" />
        {strings.rowMenu.copyLink}
      </button>
    </div>
  )
}

/** A menu with the times of muting; a muted channel is unmuted by the first press. */
function MuteButton({ channel }: { channel: ChannelId }) {
  const item = muteItem(channel)
  const isMuted = isChannelMuted(channel)
  const onClick = (event: MouseEvent) => {
    if ('run' in item) return item.run()
    openPopover(
      event.currentTarget as HTMLElement,
      item.label,
      close => <MenuItems close={close} items={item.more()} />,
      { role: 'menu' },
    )
  }
  return (
    <button type="button" class="option" aria-haspopup={isMuted ? undefined : 'menu'} onClick={onClick}>
      <Icon name={item.icon ?? 'bell'} />
      {item.label}
      <span class="grow" />
      {!isMuted && <Icon name="chev-right" size={16} flip />}
    </button>
  )
}

function Facts({ info }: { info: ChannelInfoPayload }) {
  const texts = strings.details
  const { created_by: by, created_ts: since, history_from: from } = info
  const days = config.value.retention_days
  const facts = [
    by !== null && since !== null && [texts.madeBy, texts.made(displayed(by), since)],
    info.managers.length > 0 && [texts.managedBy, texts.names(info.managers.map(displayed))],
    info.posting === 'managers' && [texts.writing, texts.onlyManagers],
    info.default && [texts.start, texts.everyoneStarts],
    from !== null && [texts.history, texts.fromJoining(from)],
    days !== undefined && [texts.keptFor, texts.kept(days)],
  ].filter(fact => fact !== false)
  if (facts.length === 0) return null
  return (
    <dl class="details-part details-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** For those who may make hooks: managers of public channels, members of private ones. */
function Hooks({ info }: { info: ChannelInfoPayload }) {
  if (info.kind === 'dm' || !mayMakeHooks()) return null
  const Section = incomingHooksPart.get('IncomingSection')
  const isManager = info.may.includes('manage')
  return (
    <div class="details-part details-hooks">
      {Section && (
        <Section
          channel={info.channel}
          mayMake={!info.archived && (isManager || info.kind === 'private')}
          mayChange={hook => isManager || hook.created_by === viewer}
        />
      )}
    </div>
  )
}

interface ActionsProps {
  channel: ChannelId
  info: ChannelInfoPayload | undefined
}

function PublicActions({ channel, info }: ActionsProps) {
  const manages = info?.kind === 'public' && info.may.includes('manage')
  const isJoined = publicChannels.value.includes(channel)
  if (!manages && !isJoined) return null
  return (
    <div class="details-part">
      {manages && (
        <button type="button" class="option" onClick={() => openChannelDetails(info)}>
          <Icon name="pencil" />
          {strings.about.edit}
        </button>
      )}
      {manages && <ArchiveButton info={info} />}
      {isJoined && (
        <button type="button" class="option" onClick={() => void leavePublicChannel(channel)}>
          <Icon name="logout" />
          {strings.privateDialog.leaveShort}
        </button>
      )}
    </div>
  )
}

function PrivateActions({ channel, info }: ActionsProps) {
  if (!privateChannels.value.some(one => one.channel === channel)) return null
  const manages = info?.may.includes('manage') ?? false
  return (
    <div class="details-part">
      {info && (manages || me.value?.role !== 'guest') && (
        <button type="button" class="option" onClick={() => openChannelDetails(info)}>
          <Icon name="pencil" />
          {manages ? strings.about.edit : strings.privateDialog.rename}
        </button>
      )}
      {manages && info && <ArchiveButton info={info} />}
      <button type="button" class="option" onClick={() => openLeaveDialog(channel)}>
        <Icon name="logout" />
        {strings.privateDialog.leaveShort}
      </button>
    </div>
  )
}

function ArchiveButton({ info }: { info: ChannelInfoPayload }) {
  return (
    <button type="button" class="option" onClick={() => void setArchived(info.channel, !info.archived)}>
      <Icon name="archive" />
      {info.archived ? strings.joining.unarchive : strings.about.archive}
      <span class="grow" />
      {!info.archived && <span class="option-detail">{strings.details.canUndo}</span>}
    </button>
  )
}
