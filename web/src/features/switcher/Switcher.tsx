import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { findPlaces, type Place } from '../../common/destinations.ts'
import { type Fit, fitOf } from '../../common/fuzzy.ts'
import { detailOf, PlacePicture, useKnownPlaces } from '../../common/places.tsx'
import { UnreadBadge } from '../../common/UnreadBadge.tsx'
import { strings } from '../../i18n/i18n.ts'
import { current } from '../../store/channels/channels.ts'
import { recent } from '../../store/device/recent.ts'
import { hashOf } from '../../store/route.ts'
import { isMac, isPhone, panel } from '../../store/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Option } from '../../ui/Option.tsx'
import { searchFor } from '../search/open-search.ts'
import { type Action, actions } from './actions.ts'
import { isSwitcherOpen } from './open-switcher.ts'
import './Switcher.css'

interface Line {
  key: string
  picture: ComponentChildren
  parts: Fit['parts']
  sub?: string
  end?: ComponentChildren
  run: () => void
}

/** Jump to a channel or person by a few letters (ui.md 5.7), from data already loaded. */
export function Switcher() {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, typed])

  const places = usePlaces(typed)
  const acts = actionLines(typed)
  const lines = [...places, ...acts]
  const asks = typed.trim() !== ''

  const pick = (line: Line | undefined) => {
    if (!line) return
    isSwitcherOpen.value = false
    line.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const command = event.ctrlKey || event.metaKey
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setAt((at + (event.key === 'ArrowDown' ? 1 : -1) + lines.length) % Math.max(lines.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (command && asks) pick(lines.find(line => line.key === 'search'))
      else pick(lines[at])
    } else if (event.key === 'Tab' && !isPhone.value) {
      // The field is the only stop: Tab would leave the page.
      event.preventDefault()
    } else if (command && event.key.toLowerCase() === 'k') {
      // The shortcut also closes it; the browser must not use it.
      event.preventDefault()
      isSwitcherOpen.value = false
    }
  }

  const option = (line: Line, index: number) => (
    <Option key={line.key} id={`jump-${index}`} chosen={index === at} pick={() => pick(line)}>
      {line.picture}
      <bdi class="switcher-name">
        {line.parts.map((part, place) => (part.hit ? <mark key={place}>{part.text}</mark> : part.text))}
      </bdi>
      {line.sub && <span class="option-detail">{line.sub}</span>}
      <span class="grow" />
      {line.end}
    </Option>
  )

  return (
    <Dialog label={strings.switcher.label} onClose={() => (isSwitcherOpen.value = false)} inside="switcher">
      <div class="switcher-field">
        <Icon name="search" size={20} />
        <input
          value={typed}
          role="combobox"
          aria-label={strings.switcher.label}
          aria-expanded="true"
          aria-controls="jump-list"
          aria-activedescendant={lines[at] ? `jump-${at}` : undefined}
          placeholder={strings.switcher.placeholder}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={event => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        {isPhone.value && (
          <IconButton icon="x" label={strings.close} onClick={() => (isSwitcherOpen.value = false)} />
        )}
      </div>
      <div class="switcher-list" ref={list} id="jump-list" role="listbox" aria-label={strings.switcher.label}>
        {places.length > 0 && (
          <div role="group" aria-label={strings.switcher.places}>
            {places.map(option)}
          </div>
        )}
        {acts.length > 0 && (
          <div role="group" aria-label={strings.switcher.actions}>
            <div class="popover-title" aria-hidden="true">
              {strings.switcher.actions}
            </div>
            {acts.map((line, index) => option(line, places.length + index))}
          </div>
        )}
      </div>
      {/* Inside the modal: the page's live regions are inert while it is open. */}
      <p class="visually-hidden" role="status">
        {asks && strings.switcher.found(lines.length)}
      </p>
      <div class="switcher-foot" aria-hidden="true">
        <span>
          <span class="key-caps">
            <kbd>↑</kbd>
            <kbd>↓</kbd>
          </span>
          {strings.switcher.move}
        </span>
        <span>
          <kbd>{strings.keys.enter}</kbd>
          {strings.switcher.open}
        </span>
        <span>
          <kbd>{strings.keys.esc}</kbd>
          {strings.close}
        </span>
      </div>
    </Dialog>
  )
}

function usePlaces(typed: string): Line[] {
  const places = useKnownPlaces()
  return useMemo(
    () =>
      findPlaces(typed, places, recent.peek(), current.peek()?.id).map(({ place, parts }) => ({
        key: place.channel,
        picture: <PlacePicture place={place} />,
        parts,
        sub: detailOf(place),
        end: (
          <span class={place.unread > 0 ? 'is-unread' : ''}>
            <UnreadBadge unread={place.unread} mentions={place.mentions} direct={place.kind === 'direct'} />
          </span>
        ),
        run: () => goTo(place),
      })),
    [typed, places],
  )
}

function goTo({ channel }: Place) {
  if (isPhone.peek()) panel.value = undefined
  if (current.peek()?.id === channel && location.hash === hashOf(channel))
    document.querySelector<HTMLElement>('#composer')?.focus()
  else location.hash = hashOf(channel)
}

function actionLines(typed: string): Line[] {
  const fitting = actions().flatMap(action => {
    const found = fitOf(typed, action.label)
    return found ? [lineOf(action, found.parts)] : []
  })
  const wanted = typed.trim()
  if (wanted === '') return fitting
  const label = strings.switcher.search(wanted)
  const keys = [isMac ? '⌘' : strings.keys.ctrl, strings.keys.enter]
  const search = { id: 'search', icon: 'search', label, keys, run: () => searchFor(wanted) }
  return [...fitting, lineOf(search, [{ text: label, hit: false }])]
}

function lineOf({ id, icon, keys, run }: Action, parts: Fit['parts']): Line {
  return {
    key: id,
    picture: <Icon name={icon} />,
    parts,
    end: keys && (
      <span class="key-caps" aria-hidden="true">
        {keys.map(key => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    ),
    run,
  }
}
