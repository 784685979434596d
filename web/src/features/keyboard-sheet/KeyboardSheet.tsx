import { useEffect, useRef } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { preferred } from '../../store/preferences.ts'
import { isMac } from '../../store/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { isKeyboardSheetOpen } from './open-keyboard-sheet.ts'
import { type Key, type Place, SHORTCUTS, type Shortcut } from './shortcuts.ts'
import './KeyboardSheet.css'

/** All shortcuts, grouped by where they act (ui.md 7). */
export function KeyboardSheet() {
  const closer = useRef<HTMLButtonElement>(null)
  const close = () => {
    isKeyboardSheetOpen.value = false
  }
  useEffect(() => closer.current?.focus(), [])
  return (
    <Dialog label={strings.keyboard.title} onClose={close} inside="keyboard-sheet">
      <div class="keyboard-sheet-head">
        <h2 class="dialog-title">{strings.keyboard.title}</h2>
        <IconButton icon="x" label={strings.close} ref={closer} onClick={close} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it takes the focus (ui.md 8) */}
      <section class="keyboard-sheet-body" tabIndex={0} aria-label={strings.keyboard.title}>
        <div class="keyboard-sheet-columns">
          {(Object.keys(SHORTCUTS) as Place[]).map(place => (
            <section key={place} class="keyboard-sheet-section" aria-label={strings.keyboard.places[place]}>
              <h3>{strings.keyboard.places[place]}</h3>
              <dl>
                {SHORTCUTS[place].map(shortcut => (
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
