import '@fontsource-variable/hanken-grotesk/wght.css'
import '@fontsource-variable/hanken-grotesk/wght-italic.css'
import './styles/tokens.css'
import './styles/base.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { start } from './server/start.ts'

render(<App />, document.getElementById('app')!)
void start()
