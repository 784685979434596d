// Before the first paint: the theme of the system, followed live. A classic script, so that nothing waits for the bundle.
;(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light'
  }
  dark.addEventListener('change', apply)
  apply()
})()
