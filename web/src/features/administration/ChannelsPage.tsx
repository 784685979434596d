import { useState } from 'preact/hooks'
import type { AdminChannelPayload, AdminChannelsPayload } from '#shared/domain/payloads/administration.ts'
import { PagesStart } from '../../common/PagesBounds.tsx'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { setArchived } from '../../net/channels/public-channels.ts'
import {
  ADMIN_CHANNEL_SORTS,
  type AdminChannelSort,
  adminChannels,
} from '../../net/requests/administration.ts'
import { channelInfo } from '../../net/requests/endpoints.ts'
import { changeChannelInfo } from '../../net/requests/lazy-endpoints.ts'
import { hashOf } from '../../store/route.ts'
import { me, panel, publicChannels } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { Select } from '../../ui/Select.tsx'
import { editedChannel, newChannel, openChannelDetails, openNewChannel } from '../browse/open-browse.ts'
import { act } from './act.ts'
import { FindField } from './FindField.tsx'
import { PageEnd } from './PageEnd.tsx'
import { PageFrame } from './PageFrame.tsx'

const LISTS = ['open', 'private', 'quiet', 'archived'] as const
/** After the last key, ms. */
const SETTLED = 120

/** All channels with their size. Private ones have a name here, and no content. */
export function ChannelsPage() {
  const [chosen, setChosen] = useState<(typeof LISTS)[number]>('open')
  const [sort, setSort] = useState<AdminChannelSort>('newest')
  const [typed, setTyped] = useState('')
  const [counts, setCounts] = useState<AdminChannelsPayload['counts']>()
  const words = typed.trim()
  // A dialog that closes, or Undo, may have changed the list.
  const isDialogOpen = editedChannel.value !== undefined || newChannel.value !== undefined
  const found = usePages(
    [chosen, sort, words, isDialogOpen, publicChannels.value],
    async cursor => {
      const page = await adminChannels({ list: chosen, sort, ...(words && { q: words }) }, cursor)
      if (page.counts) setCounts(page.counts)
      return page
    },
    { settle: SETTLED },
  )
  const texts = strings.adminChannels
  return (
    <PageFrame
      count={counts && texts.count(counts.open, counts.archived)}
      beside={me.value?.may.includes('create_channels') && <NewChannelButton />}
    >
      <div class="admin-tools">
        {LISTS.map(one => (
          <button
            type="button"
            key={one}
            class={one === chosen ? 'filter-chip is-on' : 'filter-chip'}
            aria-pressed={one === chosen}
            onClick={() => setChosen(one)}
          >
            {texts.filters[one]} <span class="tabular-numbers">{counts?.[one]}</span>
          </button>
        ))}
        <FindField label={texts.find} value={typed} set={setTyped} />
        <Select
          aria-label={strings.browse.order}
          value={sort}
          choose={one => setSort(one as AdminChannelSort)}
        >
          {ADMIN_CHANNEL_SORTS.map(one => (
            <option key={one} value={one}>
              {texts.sorts[one]}
            </option>
          ))}
        </Select>
      </div>
      <PagesStart {...found} />
      {found.items.length > 0 && <Table items={found.items} changed={found.again} />}
      <PageEnd {...found} none={words === '' ? texts.empty : texts.none} />
      <p class="hint">{texts.privateMore}</p>
    </PageFrame>
  )
}

function Table({ items, changed }: { items: AdminChannelPayload[]; changed: () => void }) {
  const texts = strings.adminChannels
  return (
    <table class="admin-table is-tight">
      <thead>
        <tr>
          <th scope="col">{texts.channel}</th>
          <th scope="col" class="is-quiet">
            {texts.who}
          </th>
          <th scope="col" class="is-number is-quiet">
            {texts.people}
          </th>
          <th scope="col" class="is-number is-quiet">
            {texts.messages}
          </th>
          <th scope="col">{texts.last}</th>
          <th scope="col">
            <span class="visually-hidden">{strings.administration.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(one => (
          <Row key={one.channel} channel={one} changed={changed} />
        ))}
      </tbody>
    </table>
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

function Row({ channel, changed }: { channel: AdminChannelPayload; changed: () => void }) {
  const { name, kind, members, messages, archived, newest_ts: newest } = channel
  const texts = strings.adminChannels
  const isOpen = kind === 'public'
  return (
    <tr class={archived ? 'is-off' : undefined}>
      <th scope="row">
        <span class="admin-person">
          <Icon name={iconOf(channel)} />
          {isOpen ? (
            <button type="button" class="admin-name" onClick={() => edit(channel)}>
              <bdi>{name}</bdi>
            </button>
          ) : (
            <bdi>{name}</bdi>
          )}
          {channel.default && (
            <span class="word-tag" title={texts.startHint}>
              {texts.start}
            </span>
          )}
        </span>
      </th>
      <td class="is-quiet">{whoOf(channel)}</td>
      <td class="is-number is-quiet tabular-numbers">{members}</td>
      <td class="is-number is-quiet tabular-numbers">{strings.workspaceSettings.number(messages)}</td>
      <td>{newest === null ? texts.never : strings.date(newest)}</td>
      <td>
        <div class="admin-row-actions">{isOpen && <MenuButton channel={channel} changed={changed} />}</div>
      </td>
    </tr>
  )
}

function iconOf({ kind, archived, posting }: AdminChannelPayload): string {
  if (archived) return 'archive'
  if (kind === 'private') return 'lock'
  return posting === 'managers' ? 'megaphone' : 'hash'
}

function whoOf({ kind, archived, posting }: AdminChannelPayload): string {
  const texts = strings.adminChannels
  if (archived) return texts.archived
  if (kind === 'private') return texts.private
  return posting === 'managers' ? texts.managersWrite : texts.everyone
}

function MenuButton({ channel, changed }: { channel: AdminChannelPayload; changed: () => void }) {
  const label = strings.administration.actionsFor(channel.name)
  return (
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
  )
}

const edit = ({ channel, name }: AdminChannelPayload) =>
  void act(() => channelInfo(channel), name, openChannelDetails)

function actionsOn(channel: AdminChannelPayload, changed: () => void): MenuItem[] {
  const { channel: id, name, archived } = channel
  const texts = strings.adminChannels
  const archive = (on: boolean) => void setArchived(id, on).then(changed)
  const open: MenuItem = {
    label: texts.open,
    icon: 'message',
    run: () => {
      panel.value = undefined
      location.hash = hashOf(id)
    },
  }
  if (archived) return [open, { label: texts.restore, icon: 'refresh', run: () => archive(false) }]
  return [
    open,
    { label: texts.details, icon: 'pencil', run: () => edit(channel) },
    {
      label: channel.default ? texts.noDefault : texts.makeDefault,
      icon: 'home',
      run: () => void act(() => changeChannelInfo(id, { default: !channel.default }), name, changed),
    },
    { label: texts.archive, icon: 'file', apart: true, danger: true, run: () => archive(true) },
  ]
}
