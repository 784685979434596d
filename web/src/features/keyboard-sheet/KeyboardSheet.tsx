import { useEffect, useRef, useState } from 'preact/hooks'
import { type Key, type Place, SHORTCUTS, type Shortcut } from '../../common/shortcuts.ts'
import { strings } from '../../i18n/i18n.ts'
import { preferred } from '../../store/preferences/preferences.ts'
import { isMac } from '../../store/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { isKeyboardSheetOpen } from './open-keyboard-sheet.ts'
import './KeyboardSheet.css'

/** All shortcuts, grouped by where they act, with a filter (ui.md 7). */
export function KeyboardSheet() {
  const [typed, setTyped] = useState('')
  const close = () => {
    isKeyboardSheetOpen.value = false
  }
  const groups = (Object.keys(SHORTCUTS) as Place[])
    .map(place => ({ place, list: shownIn(place).filter(one => matches(one, place, typed)) }))
    .filter(({ list }) => list.length > 0)
  return (
    <Dialog label={strings.keyboard.title} onClose={close} inside="keyboard-sheet">
      <div class="keyboard-sheet-head">
        <h2 class="dialog-title">{strings.keyboard.title}</h2>
        <Filter typed={typed} set={setTyped} />
        <IconButton icon="x" label={strings.close} onClick={close} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it takes the focus (ui.md 8) */}
      <section class="keyboard-sheet-body" tabIndex={0} aria-label={strings.keyboard.title}>
        {groups.length === 0 && (
          <p class="hint" role="status">
            {strings.keyboard.none(typed.trim())}
          </p>
        )}
        <div class="keyboard-sheet-columns">
          {groups.map(({ place, list }) => (
            <section key={place} class="keyboard-sheet-section" aria-label={strings.keyboard.places[place]}>
              <h3>{strings.keyboard.places[place]}</h3>
              <dl>
                {list.map(shortcut => (
                  <Row key={shortcut.id} shortcut={shortcut} />
                ))}
              </dl>
            </section>
          ))}
        </div>
      </section>
      {!preferred.singleLetterKeys.value && <p class="keyboard-sheet-off hint">{strings.keyboard.off}</p>}
    </Dialog>
  )
}

function Filter({ typed, set }: { typed: string; set: (typed: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <div class="input input-small keyboard-sheet-filter">
      <Icon name="search" size={16} />
      <input
        ref={field}
        value={typed}
        placeholder={strings.keyboard.filter}
        aria-label={strings.keyboard.filter}
        autocomplete="off"
        onInput={event => set(event.currentTarget.value)}
      />
    </div>
  )
}

/** The table by the choice whether Enter sends. */
function shownIn(place: Place): Shortcut[] {
  if (preferred.sendWith.value === 'enter') return SHORTCUTS[place]
  return SHORTCUTS[place]
    .filter(({ id }) => id !== 'send')
    .map(one => (one.id === 'newLine' ? { ...one, keys: [['enter'], ...one.keys] } : one))
}

/** All words typed are in the description or the keys, or begin the name of the place. */
function matches({ id, keys }: Shortcut, place: Place, typed: string): boolean {
  const chords = keys.map(chord => chord.map(nameOfKey).join('+'))
  const text = [strings.keyboard.does[id], ...chords].join(' ').toLowerCase()
  const placeName = strings.keyboard.places[place].toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word) || placeName.startsWith(word) || placeName.includes(` ${word}`))
}

function Row({ shortcut }: { shortcut: Shortcut }) {
  const isOff = shortcut.single && !preferred.singleLetterKeys.value
  return (
    <div class={isOff ? 'keyboard-sheet-row is-off' : 'keyboard-sheet-row'}>
      <dt>
        {shortcut.keys.map((keys, at) => (
          <span key={keys.join()} class="key-caps">
            {at > 0 && <span class="visually-hidden">{strings.keyboard.or}</span>}
            {keys.map(key => (
              <kbd key={key}>{nameOfKey(key)}</kbd>
            ))}
          </span>
        ))}
      </dt>
      <dd>{strings.keyboard.does[shortcut.id]}</dd>
    </div>
  )
}

function nameOfKey(key: Key): string {
  if (key === 'letter') return strings.keyboard.anyLetter
  if (isMac && key === 'ctrl') return '⌘'
  if (isMac && key === 'alt') return '⌥'
  return (strings.keys as Record<string, string>)[key] ?? key
}
