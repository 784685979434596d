import { effect } from '@preact/signals'
import { workspace } from '../../store/store.ts'

const SHEET = '/workspace_accent.css?v='

/** Colours of the workspace in place of the teal. The server has linked them in the page; they may change later. */
export function followAccent() {
  effect(() => {
    if (!workspace.value) return
    const { accent } = workspace.value
    const link = document.querySelector<HTMLLinkElement>(`link[href^="${SHEET}"]`)
    if (accent === null) return link?.remove()
    const href = SHEET + accent.slice(1).toLowerCase()
    if (link?.getAttribute('href') === href) return
    const next = link ?? document.createElement('link')
    next.rel = 'stylesheet'
    next.href = href
    document.head.append(next)
  })
}
