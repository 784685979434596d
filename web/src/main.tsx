import '@fontsource-variable/hanken-grotesk/wght.css'
import '@fontsource-variable/hanken-grotesk/wght-italic.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/forced-colors.css'
import { render } from 'preact'
import type { Milliseconds } from '#shared/rules/units.ts'
import { App } from './app.tsx'
import { isKnown } from './first-screen.ts'
import { isAskedEarly } from './server/early.ts'
import { start } from './server/start.ts'
import { preferredLanguage, useLanguage } from './words.ts'

/** What was asked for early is here by then, or on a line so slow that the rest is shown first. */
const AT_MOST: Milliseconds = 150

void open()

async function open() {
  await useLanguage(preferredLanguage()).catch(() => {
    // Without its words the client speaks English.
  })
  const isAsked = isAskedEarly()
  void start()
  // One picture with everything in it costs half of what an empty one and then the whole one do.
  if (isAsked) await Promise.race([isKnown(), new Promise(done => setTimeout(done, AT_MOST))])
  const root = document.getElementById('app')!
  root.replaceChildren()
  render(<App />, root)
}
