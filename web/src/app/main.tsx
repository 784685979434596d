import '@fontsource-variable/hanken-grotesk/wght.css'
import '@fontsource-variable/hanken-grotesk/wght-italic.css'
import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/controls.css'
import '../styles/forced-colors.css'
import { render } from 'preact'
import { showReports } from '../features/reports/show-reports.ts'
import { preferredLanguage, useLanguage } from '../i18n/i18n.ts'
import { App } from './app.tsx'
import { start } from './start.ts'

/** Not at the top level: the German chunk imports from this one, and would wait for its end. */
async function begin() {
  await useLanguage(preferredLanguage())
  showReports()
  start()
  const root = document.getElementById('app')!
  root.replaceChildren()
  render(<App />, root)
}

void begin()
