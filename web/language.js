// Chooses the language: the choice on this device (web/src/i18n/i18n.ts stores it), else the first of the browser that has
// strings. Fetches its strings beside the bundle, which would request them only when it runs.
;(() => {
  const files = {} // bothy:strings
  let chosen
  try {
    chosen = localStorage.getItem('bothy language')
  } catch {}
  const known = [chosen, ...navigator.languages].map(tag => tag?.slice(0, 2))
  const language = known.find(one => one === 'en' || one === 'de') ?? 'en'
  document.documentElement.lang = language
  if (!files[language]) return
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = files[language]
  document.head.append(link)
})()
