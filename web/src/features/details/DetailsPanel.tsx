import { useEffect } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { chooseForChannel } from '../../net/channels/sidebar-changes.ts'
import { type Channel, current } from '../../store/channels/channels.ts'
import { isDm, plainName } from '../../store/channels/names.ts'
import { peopleVersion } from '../../store/people/people.ts'
import { channelChoices, channelIcon } from '../../store/sidebar/channel-choices.ts'
import { isPhone, panel } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { DETAILS_TABS, type DetailsTab } from './details-tabs.ts'
import { detailsTab } from './open-details.ts'
import { useFileCount } from './use-file-count.ts'
import './details.css'

/** Details of the open channel: its tabs are in `details-tabs.ts`. */
export function DetailsPanel() {
  const channel = current.value
  // Not of `Details`, which is new with each channel: the focus would leave the composer.
  useEffect(() => document.querySelector<HTMLElement>('.details [role=tab][aria-selected=true]')?.focus(), [])
  return channel ? <Details key={channel.id} channel={channel} /> : null
}

function Details({ channel }: { channel: Channel }) {
  const tab = DETAILS_TABS.find(({ id }) => id === detailsTab.value) ?? DETAILS_TABS[0]!
  const Part = tab.part()
  useFileCount(channel)
  return (
    <aside class="panel details" aria-label={strings.details.title} data-region="panel">
      <div class="panel-head">
        <h2 class="details-name">
          {!isDm(channel.id) && (
            <Icon name={channelIcon(channel.id, channel.info.value?.posting)} size={18} />
          )}
          <bdi>{plainName(channel.id)}</bdi>
        </h2>
        {isPhone.value && <Star channel={channel} />}
        <IconButton
          icon="x"
          label={strings.details.close}
          onClick={() => {
            panel.value = undefined
          }}
        />
      </div>
      <Tabs channel={channel} shown={tab} />
      <div
        class="details-content"
        id="details-content"
        role="tabpanel"
        aria-labelledby={`details-tab-${tab.id}`}
        tabIndex={tab.id === 'about' ? undefined : -1}
      >
        {Part && <Part channel={channel} />}
      </div>
    </aside>
  )
}

/** Wide windows have it in the header of the channel. */
function Star({ channel: { id } }: { channel: Channel }) {
  const choice = channelChoices.value?.get(id)
  if (!choice) return null
  return (
    <IconButton
      icon="star"
      label={strings.header.favourite}
      aria-pressed={choice.favourite}
      class="details-star"
      onClick={() => void chooseForChannel(id, { favourite: !choice.favourite })}
    />
  )
}

function Tabs({ channel, shown }: { channel: Channel; shown: DetailsTab }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const at = DETAILS_TABS.indexOf(shown)
    const count = DETAILS_TABS.length
    const onward = getComputedStyle(event.currentTarget as HTMLElement).direction === 'rtl' ? -1 : 1
    const to = { ArrowRight: at + onward, ArrowLeft: at - onward, Home: 0, End: count - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = DETAILS_TABS[(to + count) % count]!
    detailsTab.value = next.id
    document.getElementById(`details-tab-${next.id}`)?.focus()
  }
  // Tells who is a bot.
  void peopleVersion.value
  return (
    <div class="panel-tabs" role="tablist" aria-label={strings.details.title} onKeyDown={onKeyDown}>
      {DETAILS_TABS.map(tab => {
        const count = tab.count?.(channel)
        return (
          <button
            type="button"
            key={tab.id}
            id={`details-tab-${tab.id}`}
            class="panel-tab"
            role="tab"
            aria-selected={tab === shown}
            aria-controls="details-content"
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => {
              detailsTab.value = tab.id
            }}
          >
            {tab.name()}{' '}
            {count !== undefined && <span class="panel-tab-count">{strings.details.count(count)}</span>}
          </button>
        )
      })}
    </div>
  )
}
