import type { RefObject } from 'preact'
import { strings } from '../../../i18n/i18n.ts'
import { openChannel, showMessage } from '../../../net/channels/open-channel.ts'
import { type Channel, current } from '../../../store/channels/channels.ts'
import { nameOf } from '../../../store/channels/names.ts'
import { hashOf } from '../../../store/route.ts'
import { isPhone, panel } from '../../../store/store.ts'
import { MOST_THREAD_PEOPLE, peopleOf, type Thread } from '../../../store/threads/thread-rows.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { type MenuItem, MenuItems } from '../../../ui/Menu.tsx'
import { openPopover } from '../../../ui/Popover.tsx'
import { toggleSaved } from '../../later/open-later.ts'
import { closeToRootRow } from '../../threads/open-root-row.ts'
import { besideThread } from '../../threads/open-threads.ts'
import { copyLink } from '../message-actions.tsx'

interface Props {
  channel: Channel
  thread: Thread | undefined
  heading: RefObject<HTMLHeadingElement | null>
  follow: (following: boolean) => void
}

/** Place and people of a thread, whether the viewer follows it, and a menu. A phone has Back in place of ×. */
export function ThreadHead({ channel, thread, heading, follow }: Props) {
  const say = strings.threads
  const place = nameOf(channel.id)
  const people = thread && peopleOf(thread)
  return (
    <div class="panel-head">
      {isPhone.value && <IconButton icon="chev-left" flip label={strings.back} onClick={closeToRootRow} />}
      <h2 ref={heading} tabIndex={-1}>
        {say.title}
        <span class="thread-place tabular-numbers">
          {people === undefined ? place : say.place(place, people, people >= MOST_THREAD_PEOPLE)}
        </span>
      </h2>
      {thread && <Follow isFollowed={thread.following} follow={follow} />}
      {thread && (
        <IconButton
          icon="more"
          label={say.more}
          aria-haspopup="menu"
          onClick={({ currentTarget }) =>
            openPopover(
              currentTarget,
              say.more,
              close => <MenuItems close={close} items={itemsOf(channel, thread, follow)} />,
              { role: 'menu' },
            )
          }
        />
      )}
      {!isPhone.value && <IconButton icon="x" label={say.close} onClick={closeToRootRow} />}
    </div>
  )
}

function Follow({ isFollowed, follow }: { isFollowed: boolean; follow: Props['follow'] }) {
  const say = strings.threads
  const label = isFollowed ? say.following : say.follow
  const does = {
    'aria-pressed': isFollowed,
    'aria-keyshortcuts': 'F',
    title: say.followAbout,
    onClick: () => follow(!isFollowed),
  }
  if (isPhone.value) return <IconButton icon={isFollowed ? 'bell' : 'bell-off'} label={label} {...does} />
  return (
    <button type="button" class="thread-follow" {...does}>
      {isFollowed && <Icon name="check" size={16} />}
      {label}
    </button>
  )
}

function itemsOf(channel: Channel, thread: Thread, follow: Props['follow']): MenuItem[] {
  const say = strings.threads
  const first = thread.root ?? thread.rows[0]
  const { following } = thread
  const items: MenuItem[] = [
    {
      label: following ? say.unfollow : say.follow,
      icon: following ? 'bell-off' : 'bell',
      keys: 'F',
      run: () => follow(!following),
    },
  ]
  if (!first) return items
  items.push(
    { label: say.showRoot(nameOf(channel.id)), icon: 'hash', run: () => showInChannel(channel, first.id) },
    { label: strings.actions.copyLink, icon: 'link', run: () => copyLink(first) },
  )
  if (first.deleted === 0)
    items.push({ label: strings.actions.save, icon: 'bookmark', run: () => toggleSaved(first) })
  return items
}

/** The channel may be behind a page, or on a phone behind the thread. */
function showInChannel(channel: Channel, id: number) {
  if (!besideThread.peek() && !isPhone.peek()) return void showMessage(channel, id)
  panel.value = undefined
  if (location.hash !== hashOf(channel.id, id)) location.hash = hashOf(channel.id, id)
  else if (current.peek() === channel) void showMessage(channel, id)
  else openChannel(channel.id, id)
}
