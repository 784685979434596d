/** Making, renaming, ordering and removing the own sections. */
import { useState } from 'preact/hooks'
import type { SidebarSectionPayload } from '#shared/domain/payloads/sidebar.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { markSectionRead } from '../../common/mark-read.ts'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import {
  changeSection,
  chooseForChannel,
  chooseLook,
  forgetPositions,
  makeSection,
  moveChannel,
  moveSection,
  removeSection,
} from '../../net/channels/sidebar-changes.ts'
import { channelChoices, sections } from '../../store/sidebar/channel-choices.ts'
import { sidebarLook, sidebarPlaces } from '../../store/sidebar/sidebar.ts'
import { isPhone } from '../../store/store.ts'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { announce, showToast } from '../../ui/feedback.ts'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { closePopover, openPopover } from '../../ui/Popover.tsx'
import './own-sections.css'

const LONGEST = 80
const MOST_SECTIONS = 30

export const toggleSection = (section: SidebarSectionPayload) =>
  void changeSection(section, { collapsed: !section.collapsed })

export function openSectionMenu(anchor: HTMLElement, section: SidebarSectionPayload) {
  const texts = strings.sections
  const sheet = isPhone.peek()
  const at = sections.peek().findIndex(({ id }) => id === section.id)
  const channels = sidebarPlaces.peek().get(section.id) ?? []
  const items: MenuItem[] = [
    ...lookItems(anchor),
    {
      label: texts.markRead,
      icon: 'checks',
      apart: true,
      run: () => void markSectionRead(channels.filter(row => row.unread > 0).map(row => row.channel)),
    },
    { label: texts.rename, icon: 'pencil', apart: true, run: () => renameSection(anchor, section) },
  ]
  if (at > 0) items.push({ label: texts.up, icon: 'chev-up', run: () => stepSection(section, -1) })
  if (at >= 0 && at < sections.peek().length - 1)
    items.push({ label: texts.down, icon: 'chev-down', run: () => stepSection(section, 1) })
  items.push({ label: texts.remove, icon: 'trash', run: () => void remove(section) })
  openPopover(
    anchor,
    strings.sidebar.sectionMenu(section.name),
    close => (
      <>
        <p class={sheet ? 'bottom-sheet-title' : 'popover-title'}>{section.name}</p>
        <MenuItems close={close} items={items} label={sheet ? section.name : undefined} />
      </>
    ),
    { role: sheet ? 'dialog' : 'menu', sheet },
  )
}

/** How all places are sorted. A sort other than the present one asks before it resets rows that were moved by hand. */
export function lookItems(anchor: HTMLElement): MenuItem[] {
  const texts = strings.sections
  const { sort, hide_read } = sidebarLook.peek()
  const choose = (change: Parameters<typeof chooseLook>[0]) => void chooseLook(change, texts.order)
  const order = (by: 'recent' | 'name') => {
    const moved = movedRows()
    const sortAll = () => {
      if (by !== sort) choose({ sort: by })
      if (moved.length > 0) void forgetPositions(moved, texts.order)
    }
    if (moved.length > 0)
      askToSort(anchor, by === 'name' ? texts.byName : texts.recent, moved.length, sortAll)
    else sortAll()
  }
  return [
    { label: texts.recent, icon: 'clock', checked: sort === 'recent', run: () => order('recent') },
    { label: texts.byName, icon: 'list', checked: sort === 'name', run: () => order('name') },
    {
      label: texts.hideRead,
      icon: 'eye',
      ticked: hide_read,
      apart: true,
      run: () => choose({ hide_read: !hide_read }),
    },
  ]
}

/** The channels that were placed by hand. */
const movedRows = () =>
  [...(channelChoices.peek()?.values() ?? [])].filter(one => one.position !== null).map(one => one.channel)

function askToSort(anchor: HTMLElement, label: string, count: number, sort: () => void) {
  openPopover(
    anchor,
    label,
    close => (
      <div class="section-name">
        <p>{strings.sections.resets(count)}</p>
        <div class="section-name-foot">
          <button type="button" class="button" onClick={close}>
            {strings.cancel}
          </button>
          <button
            type="button"
            class="button button-primary"
            onClick={() => {
              close()
              sort()
            }}
          >
            {label}
          </button>
        </div>
      </div>
    ),
    { sheet: isPhone.peek() },
  )
}

/** Moves a section one place up or down. */
export function stepSection(section: SidebarSectionPayload, step: 1 | -1) {
  const to = sections.peek().findIndex(({ id }) => id === section.id) + step
  if (to >= 0 && to < sections.peek().length) placeSection(section, to)
}

/** `index`: among the other sections. */
export function placeSection(section: SidebarSectionPayload, index: number) {
  const others = sections.peek().filter(({ id }) => id !== section.id)
  void moveSection(section, others[index]?.id ?? null)
  announce(strings.sections.movedSection(section.name, index + 1, others.length + 1))
}

async function remove(section: SidebarSectionPayload) {
  const texts = strings.sections
  const at = sections.peek().findIndex(({ id }) => id === section.id)
  const next = sections.peek()[at + 1]?.id
  const channels = (sidebarPlaces.peek().get(section.id) ?? []).map(row => row.channel)
  if (!(await removeSection(section))) return
  const putBack = async () => {
    const { name, collapsed } = section
    const id = await makeSection(name, { collapsed, ...(next !== undefined && { before: next }) })
    if (id === undefined) return
    for (const [index, channel] of channels.entries())
      await moveChannel(channel, id, channels.slice(0, index + 1))
  }
  showToast(texts.removed(section.name), {
    icon: 'trash',
    action: { label: strings.undo, run: () => void putBack() },
  })
}

/** With `channel`, moves it into the new section. */
export function newSection(anchor: HTMLElement, channel?: ChannelId) {
  const texts = strings.sections
  askForName(anchor, texts.make, '', async name => {
    if (sections.peek().length >= MOST_SECTIONS) return texts.tooMany(MOST_SECTIONS)
    const id = await makeSection(name, { isReported: false })
    if (id === undefined) return texts.notSaved
    if (channel !== undefined) await chooseForChannel(channel, { favourite: false, section: id })
    announce(texts.made(name))
    return ''
  })
}

function renameSection(anchor: HTMLElement, section: SidebarSectionPayload) {
  askForName(anchor, strings.sections.rename, section.name, async name => {
    const isSaved = name === section.name || (await changeSection(section, { name }, false))
    return isSaved ? '' : strings.sections.notSaved
  })
}

function askForName(anchor: HTMLElement, label: string, name: string, save: NameProps['save']) {
  openPopover(anchor, label, close => <NameForm label={label} name={name} close={close} save={save} />, {
    sheet: isPhone.peek(),
  })
}

interface NameProps {
  label: string
  name: string
  close: () => void
  /** Returns the problem, empty if the name is saved. */
  save: (name: string) => Promise<string>
}

function NameForm({ label, name: before, close, save }: NameProps) {
  const [name, setName] = useState(before)
  const form = useSubmit({
    check: () => (name.trim() === '' ? { field: 'name', sentence: strings.sections.nameNeeded } : undefined),
    async send() {
      const refused = await save(name.trim())
      if (form.element.current === null && refused) showToast(refused, { icon: 'alert' })
      return refused || form.element.current !== null
    },
    done: close,
  })
  return (
    <form ref={form.element} class="section-name" onSubmit={form.onSubmit}>
      <label for="section-name">{label}</label>
      <div class="input">
        <input
          id="section-name"
          name="name"
          value={name}
          maxLength={LONGEST}
          placeholder={strings.sections.placeholder}
          autocomplete="off"
          onInput={event => {
            setName(event.currentTarget.value)
            form.clear()
          }}
        />
      </div>
      {form.problem && <ErrorLine>{form.problem.sentence}</ErrorLine>}
      <div class="section-name-foot">
        <button type="button" class="button" onClick={() => closePopover()}>
          {strings.cancel}
        </button>
        <button type="submit" class="button button-primary">
          {strings.save}
        </button>
      </div>
    </form>
  )
}
