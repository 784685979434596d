import '@fontsource-variable/hanken-grotesk/wght.css'
import '@fontsource-variable/hanken-grotesk/wght-italic.css'
import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/controls.css'
import '../styles/forced-colors.css'
import '../styles/print.css'
import { render } from 'preact'
import { Guarded, reportBroken } from '../common/Guarded.tsx'
import { loadStrings, strings } from '../i18n/i18n.ts'
import { onReport } from '../store/reports.ts'
import { showToast } from '../ui/feedback.ts'
import { onLoadFailed, setSecondEntry } from '../ui/part.ts'
import { App } from './app.tsx'
import { later, reporting, start } from './start.ts'

/** Not at the top level: the chunk of the strings imports from this one, and would wait for its end. */
async function begin() {
  await loadStrings()
  // At once: after the first report, that of a lost connection, it could not be loaded.
  const reports = later(reporting)
  onReport(report => void reports.then(({ show }) => show(report)))
  const retries = new Set<() => void>()
  // Several parts may be missing, and there is one toast.
  const retryAll = () => {
    const failed = [...retries]
    retries.clear()
    for (const retry of failed) retry()
  }
  onLoadFailed(retry => {
    retries.add(retry)
    reportBroken('part', new TypeError('load'))
    const action = { label: strings.tryAgain, run: retryAll }
    showToast(strings.broken.part, { icon: 'alert', action })
  })
  setSecondEntry(() => import('./after-first-screen.ts'))
  start()
  const root = document.getElementById('app')!
  root.replaceChildren()
  render(
    <Guarded place="app">
      <App />
    </Guarded>,
    root,
  )
}

void begin()
