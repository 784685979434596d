// Applies theme, sizes and motion before the first paint: the choice on this device (web/src/store/preferences/preferences.ts
// stores it), else the system's, followed live. A classic script, so that it does not wait for the bundle.
;(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const page = document.documentElement
  const bar = document.head.appendChild(document.createElement('meta'))
  bar.name = 'theme-color'

  const stored = () => {
    const viewer = document.querySelector('meta[name="viewer"]')?.content ?? ''
    try {
      return JSON.parse(localStorage.getItem(`bothy preferences ${viewer}`)) ?? {}
    } catch {
      return {}
    }
  }
  let chosen = stored()
  let isPaper = false

  const apply = () => {
    const { theme, textSize, density, width, motion } = chosen
    const isDark = !isPaper && (theme === 'dark' || (theme !== 'light' && dark.matches))
    page.dataset.theme = isDark ? 'dark' : 'light'
    page.dataset.size = textSize === 14 ? 's' : textSize === 17 ? 'l' : 'm'
    page.dataset.density = density === 'compact' ? 'compact' : 'comfortable'
    page.dataset.width = width === 'full' ? 'full' : 'column'
    page.dataset.motion = motion === 'reduce' ? 'reduce' : 'system'
    bar.content = isDark ? '#0d1213' : '#f2f1ee'
  }
  dark.addEventListener('change', apply)
  addEventListener('bothy-preferences', event => {
    chosen = event.detail
    apply()
  })
  // Browsers print no backgrounds: light text would be lost.
  addEventListener('beforeprint', () => {
    isPaper = true
    apply()
  })
  addEventListener('afterprint', () => {
    isPaper = false
    apply()
  })
  apply()
})()
