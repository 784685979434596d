import type { ComposerActions } from './composer-keys.ts'
import { composerParts } from './composer-part.ts'
import { enterSends } from './enter-sends.ts'

/** Before the second entry is there, Enter sends at once; chords and arrows act once it is, unless the focus has moved on. */
export function onKey(event: KeyboardEvent, area: HTMLTextAreaElement, composer: ComposerActions) {
  const act = () => composerParts.now?.onComposerKey(event, area, composer)
  const isChord = event.ctrlKey || event.metaKey || event.altKey
  if (composerParts.now) act()
  else if (event.key === 'Enter' && !isChord && !event.shiftKey) {
    if (!enterSends(area)) return
    event.preventDefault()
    composer.sendNow()
  } else if (isChord || event.key.startsWith('Arrow'))
    composerParts.load().then(
      () => document.activeElement === area && act(),
      () => {},
    )
}
