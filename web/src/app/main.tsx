import '@fontsource-variable/hanken-grotesk/wght.css'
import '@fontsource-variable/hanken-grotesk/wght-italic.css'
import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/controls.css'
import '../styles/forced-colors.css'
import { render } from 'preact'
import type { Milliseconds } from '#shared/domain/units.ts'
import { showReports } from '../features/reports/show-reports.ts'
import { preferredLanguage, useLanguage } from '../i18n/i18n.ts'
import { isAskedEarly } from '../net/early.ts'
import { isKnown } from '../store/first-screen.ts'
import { App } from './app.tsx'
import { start } from './start.ts'

/** Wait for the early responses at most; on slower lines the page is shown without them. */
const AT_MOST: Milliseconds = 150

void open()

async function open() {
  await useLanguage(preferredLanguage())
  const isAsked = isAskedEarly()
  showReports()
  start()
  // A single render with all content costs half as much as an empty one followed by a full one.
  if (isAsked) await Promise.race([isKnown(), new Promise(done => setTimeout(done, AT_MOST))])
  const root = document.getElementById('app')!
  root.replaceChildren()
  render(<App />, root)
}
