import '@fontsource-variable/hanken-grotesk/wght.css'
import '@fontsource-variable/hanken-grotesk/wght-italic.css'
import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/controls.css'
import '../styles/forced-colors.css'
import '../styles/print.css'
import { render } from 'preact'
import { Guarded, reportBroken } from '../common/Guarded.tsx'
import { preferredLanguage, strings, useLanguage } from '../i18n/i18n.ts'
import { onReport } from '../store/reports.ts'
import { showToast } from '../ui/feedback.ts'
import { onLoadFailed } from '../ui/lazy.tsx'
import { App } from './app.tsx'
import { later, start } from './start.ts'

/** Not at the top level: the German chunk imports from this one, and would wait for its end. */
async function begin() {
  await useLanguage(preferredLanguage())
  // At once: after the first report, that of a lost connection, it could not be loaded.
  const reports = later(() => import('../features/reports/show-reports.ts'))
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
