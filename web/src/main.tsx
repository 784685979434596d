import '@fontsource-variable/hanken-grotesk/wght.css'
import '@fontsource-variable/hanken-grotesk/wght-italic.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/forced-colors.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { start } from './server/start.ts'
import { preferredLanguage, useLanguage } from './words.ts'

void open()

async function open() {
  await useLanguage(preferredLanguage()).catch(() => {
    // Without its words the client speaks English.
  })
  render(<App />, document.getElementById('app')!)
  void start()
}
