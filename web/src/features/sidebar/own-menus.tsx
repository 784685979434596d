/** The menus at the foot of the sidebar: status and notifications. Loaded on demand. */
import type { Milliseconds } from '#shared/domain/units.ts'
import { Avatar, PersonName, PresenceDot } from '../../common/Avatar.tsx'
import { emojiOf } from '../../common/emoji.ts'
import { mutedLabel, muteFor, muteForever, muteUntilTomorrow, unmute } from '../../common/mute.ts'
import { strings } from '../../i18n/i18n.ts'
import { signOut } from '../../net/account/sign-out.ts'
import { chooseStatus } from '../../net/people/choose-status.ts'
import { clearStatus } from '../../net/people/own-status.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { statusOf } from '../../store/people/people.ts'
import { tomorrowMorning } from '../../store/preferences/preference-values.ts'
import { isMuted } from '../../store/preferences/preferences.ts'
import { isConnected, isMac, isPhone, me, override, presenceOf, viewer } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { isInviteOpen, openAdministration } from '../administration/open-administration.ts'
import { openKeyboardSheet } from '../keyboard-sheet/open-keyboard-sheet.ts'
import { openSettings } from '../settings/open-settings.ts'
import { isStatusOpen } from '../status/open-status.ts'
import './own-menus.css'

/** The choices and the classes of their dots. */
const CHOICES = [
  ['auto', 'presence-dot'],
  ['active', 'presence-dot'],
  ['idle', 'presence-dot is-idle'],
  ['offline', 'presence-dot is-off'],
] as const

export function openStatusMenu(anchor: HTMLElement) {
  openPopover(
    anchor,
    strings.status.title,
    close => (
      <>
        <Head />
        <MenuItems
          close={close}
          items={[
            ...ownStatus(),
            { ...presence(), apart: true },
            pause(),
            ...office(),
            { label: strings.status.settings, icon: 'gear', apart: true, run: () => openSettings() },
            ...(isPhone.value ? [] : [shortcuts()]),
            { label: strings.status.signOut, icon: 'logout', flip: true, run: () => void signOut() },
          ]}
        />
        <Line />
      </>
    ),
    { role: 'menu' },
  )
}

/** The menu has the name; readers skip the face. */
function Head() {
  return (
    <div class="own-menu-head" aria-hidden="true">
      <Avatar name={viewer} presence />
      <span class="own-menu-name">
        <PersonName name={viewer} />
        <span class="hint">{strings.presence[presenceOf(viewer)]}</span>
      </span>
    </div>
  )
}

/** Whether changes arrive by themselves. */
function Line() {
  const isLive = isConnected()
  return (
    <div class="own-menu-line">
      <span class={isLive ? 'presence-dot' : 'presence-dot is-off'} />
      {isLive ? strings.ownStatus.live : strings.connection.notConnected}
    </div>
  )
}

const shortcuts = (): MenuItem => ({
  label: strings.switcher.shortcuts,
  icon: 'keyboard',
  keys: `${isMac ? '⌘' : strings.keys.ctrl} /`,
  run: openKeyboardSheet,
})

function presence(): MenuItem {
  const chosen = override.value ?? 'auto'
  const state = presenceOf(viewer)
  return {
    label: strings.presence[state],
    before: <PresenceDot name={viewer} />,
    ...(chosen === 'auto' && { detail: strings.status.auto }),
    more: () =>
      CHOICES.map(([choice, dot]) => ({
        label: strings.status[choice],
        before: <span class={dot} />,
        checked: chosen === choice,
        run: () => void chooseStatus(choice),
      })),
  }
}

const MINUTE: Milliseconds = 60_000

/** Pauses the notifications of the account until a time, which is shown. */
function pause(): MenuItem {
  const texts = strings.ownStatus
  return {
    label: texts.pause,
    icon: 'moon',
    ...(isMuted.value && { detail: mutedLabel() }),
    more: () => [
      ...(isMuted.value ? [{ label: strings.mute.unmute, icon: 'bell', run: unmute }] : []),
      ...pauses(),
      {
        label: strings.mute.settings,
        icon: 'gear',
        apart: true,
        run: () => openSettings('notifications'),
      },
    ],
  }
}

function pauses(): MenuItem[] {
  const texts = strings.ownStatus
  const now = Date.now()
  const until = (label: string, end: Milliseconds, run: () => void): MenuItem => ({
    label,
    detail: texts.kept(end / 1_000),
    run,
  })
  return [
    ...[30, 60, 120].map(minutes =>
      until(texts.pauseFor(minutes), now + minutes * MINUTE, () => muteFor(minutes * MINUTE)),
    ),
    until(strings.mute.tomorrow, tomorrowMorning(new Date()), muteUntilTomorrow),
    { label: strings.mute.forever, run: muteForever },
  ]
}

function ownStatus(): MenuItem[] {
  const texts = strings.ownStatus
  const status = statusOf(viewer)
  const open = () => {
    isStatusOpen.value = true
  }
  if (!status) return [{ label: texts.set, icon: 'smile', run: open }]
  const { emoji, text, until } = status
  return [
    {
      label: text ?? texts.title,
      ...(emoji ? { before: <span class="emoji">{emojiOf(emoji)}</span> } : { icon: 'message' }),
      ...(until !== null && { detail: texts.endsAt(until) }),
      run: open,
    },
    { label: texts.clear, icon: 'x', run: () => void clear() },
  ]
}

async function clear() {
  try {
    await clearStatus()
  } catch (error) {
    tolerateFailure(error)
    showToast(strings.ownStatus.notSaved, { icon: 'alert' })
  }
}

/** Entries that depend on the role of the viewer. */
function office(): MenuItem[] {
  const may = me.value?.may ?? []
  const items: MenuItem[] = []
  if (may.includes('invite'))
    items.push({
      label: strings.status.invite,
      icon: 'user-plus',
      apart: true,
      run: () => {
        isInviteOpen.value = true
      },
    })
  if (may.includes('administer'))
    items.push({ label: strings.status.administration, icon: 'users', run: () => openAdministration() })
  return items
}

export function openMuteMenu(anchor: HTMLElement) {
  const texts = strings.mute
  openPopover(
    anchor,
    texts.menu,
    close => (
      <MenuItems
        close={close}
        heading={strings.ownStatus.pause}
        items={[
          ...(isMuted.value ? [{ label: texts.unmute, icon: 'bell', run: unmute }] : []),
          ...pauses(),
          {
            label: texts.settings,
            icon: 'gear',
            apart: true,
            run: () => openSettings('notifications'),
          },
        ]}
      />
    ),
    { role: 'menu' },
  )
}
