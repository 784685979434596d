import '@fontsource-variable/hanken-grotesk/wght.css'
import '@fontsource-variable/hanken-grotesk/wght-italic.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/forced-colors.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { isKnown } from './first-screen.ts'
import { isAllHere } from './server/early.ts'
import { start } from './server/start.ts'
import { preferredLanguage, useLanguage } from './words.ts'

/** In ms: what was asked for early only has to be read. */
const AT_MOST = 150

void open()

async function open() {
  await useLanguage(preferredLanguage()).catch(() => {
    // Without its words the client speaks English.
  })
  const isHere = isAllHere()
  void start()
  // One picture with everything in it costs half of what an empty one and then the whole one do.
  if (isHere) await Promise.race([isKnown(), new Promise(done => setTimeout(done, AT_MOST))])
  const root = document.getElementById('app')!
  root.replaceChildren()
  render(<App />, root)
}
