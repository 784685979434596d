import { useState } from 'preact/hooks'
import type { PublicChannelPayload } from '#shared/domain/payloads.ts'
import { usePublicChannels } from '../../common/use-public-channels.ts'
import { strings } from '../../i18n/i18n.ts'
import { channelInfo } from '../../net/administration.ts'
import { changeChannelInfo, type PublicChannelSort } from '../../net/lazy-endpoints.ts'
import { setArchived } from '../../net/public-channels.ts'
import { hashOf } from '../../store/route.ts'
import { me, panel, publicChannels } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { Select } from '../../ui/Select.tsx'
import { editedChannel, newChannelName, openChannelDetails, openNewChannel } from '../browse/open-browse.ts'
import { act } from './act.ts'
import { FindField } from './FindField.tsx'
import { PageEnd } from './PageEnd.tsx'
import { PageFrame } from './PageFrame.tsx'

const FILTERS = ['open', 'archived'] as const
const SORTS: PublicChannelSort[] = ['newest', 'members', 'name']

/** The public channels, archived ones too. Private channels belong to their members. */
export function ChannelsPage() {
  const [filter, setFilter] = useState<(typeof FILTERS)[number]>('open')
  const [sort, setSort] = useState<PublicChannelSort>('newest')
  const [typed, setTyped] = useState('')
  const archived = filter === 'archived'
  // A dialog that closes, or Undo, may have changed the list.
  const isDialogOpen = editedChannel.value !== undefined || newChannelName.value !== undefined
  const again = [isDialogOpen, publicChannels.value]
  const found = usePublicChannels({ words: typed.trim(), sort, archived, again })
  const items = found.items.filter(one => one.archived === archived)
  const say = strings.adminChannels
  return (
    <PageFrame beside={me.value?.may.includes('create_channels') && <NewChannelButton />}>
      <div class="admin-tools">
        {FILTERS.map(one => (
          <button
            type="button"
            key={one}
            class={one === filter ? 'filter-chip is-on' : 'filter-chip'}
            aria-pressed={one === filter}
            onClick={() => setFilter(one)}
          >
            {say.filters[one]}
          </button>
        ))}
        <FindField label={say.find} value={typed} set={setTyped} />
        <Select
          aria-label={strings.browse.order}
          value={sort}
          choose={one => setSort(one as PublicChannelSort)}
        >
          {SORTS.map(one => (
            <option key={one} value={one}>
              {strings.browse.sorts[one]}
            </option>
          ))}
        </Select>
      </div>
      {items.length > 0 && (
        <table class="admin-table">
          <thead>
            <tr>
              <th scope="col">{say.channel}</th>
              <th scope="col" class="is-quiet">
                {say.who}
              </th>
              <th scope="col" class="is-number is-quiet">
                {say.people}
              </th>
              <th scope="col">{say.last}</th>
              <th scope="col">
                <span class="visually-hidden">{strings.administration.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map(one => (
              <Row key={one.channel} channel={one} changed={found.again} />
            ))}
          </tbody>
        </table>
      )}
      <PageEnd {...found} count={items.length} none={say.none} />
      <p class="hint">{say.noPrivate}</p>
    </PageFrame>
  )
}

function NewChannelButton() {
  return (
    <button type="button" class="button button-primary" onClick={() => openNewChannel()}>
      <Icon name="plus" size={16} />
      {strings.browse.create}
    </button>
  )
}

function Row({ channel, changed }: { channel: PublicChannelPayload; changed: () => void }) {
  const { name, members, archived, posting, newest_ts: newest } = channel
  const say = strings.adminChannels
  const label = strings.administration.actionsFor(name)
  return (
    <tr class={archived ? 'is-off' : undefined}>
      <th scope="row">
        <span class="admin-person">
          <Icon name={archived ? 'file' : 'hash'} />
          <button type="button" class="admin-name" onClick={() => edit(channel)}>
            <bdi>{name}</bdi>
          </button>
          {channel.default && (
            <span class="word-tag" title={say.startHint}>
              {say.start}
            </span>
          )}
        </span>
      </th>
      <td class="is-quiet">
        {archived ? say.archived : posting === 'managers' ? say.managersWrite : say.everyone}
      </td>
      <td class="is-number is-quiet tabular-numbers">{members}</td>
      <td>{newest === null ? say.never : strings.date(newest)}</td>
      <td>
        <div class="admin-row-actions">
          <IconButton
            icon="more"
            label={label}
            aria-haspopup="menu"
            onClick={event =>
              openPopover(
                event.currentTarget,
                label,
                close => <MenuItems close={close} items={actionsOn(channel, changed)} />,
                { role: 'menu' },
              )
            }
          />
        </div>
      </td>
    </tr>
  )
}

const edit = ({ channel, name }: PublicChannelPayload) =>
  void act(() => channelInfo(channel), name, openChannelDetails)

function actionsOn(channel: PublicChannelPayload, changed: () => void): MenuItem[] {
  const { channel: id, name, archived } = channel
  const say = strings.adminChannels
  const archive = (on: boolean) => void setArchived(id, on).then(changed)
  const open: MenuItem = {
    label: say.open,
    icon: 'message',
    run: () => {
      panel.value = undefined
      location.hash = hashOf(id)
    },
  }
  if (archived) return [open, { label: say.restore, icon: 'refresh', run: () => archive(false) }]
  return [
    open,
    { label: say.details, icon: 'pencil', run: () => edit(channel) },
    {
      label: channel.default ? say.noDefault : say.makeDefault,
      icon: 'home',
      run: () => void act(() => changeChannelInfo(id, { default: !channel.default }), name, changed),
    },
    { label: say.archive, icon: 'file', apart: true, danger: true, run: () => archive(true) },
  ]
}
