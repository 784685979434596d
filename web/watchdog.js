// Shows a sentence instead of an empty page if the bundle does not arrive or start, and reports the errors of the page
// (interface 17.6). A classic script of the head, so that it works without the bundle.
;(() => {
  const WAIT = 10_000
  const MOST_REPORTS = 10
  const bundle = () => document.querySelector('script[type=module][src]')
  const reported = new Set()

  // Never an error's message: it may quote what a person wrote.
  const CLASSES = [
    [
      'property-of-nothing',
      /(undefined|null).*(propert|reading|setting)|(propert|object).*(undefined|null)/i,
    ],
    ['not-a-function', /not a function/],
    ['not-defined', /not defined|initiali[sz]ation/],
    ['not-json', /JSON/],
    ['not-loaded', /import|module|load|fetch/i],
    ['other', /(?:)/],
  ]

  const report = (place, error) => {
    const { name, message = '', stack = '' } = error ?? {}
    const positions = `${stack}`.replace(message, '').matchAll(/\/assets\/([A-Za-z][\w.-]*\.js:\d+:\d+)/g)
    const body = JSON.stringify({
      place,
      name: /^[A-Z]\w*Error$|^Error$/.test(name) ? name : 'Other',
      message_class: CLASSES.find(([, words]) => words.test(message))[0],
      stack: Array.from(positions, ([, position]) => position).slice(0, 10),
      build: bundle()?.src.replace(/^.*\//, '') ?? '',
    })
    if (reported.has(body) || reported.size >= MOST_REPORTS) return
    reported.add(body)
    const headers = { 'Content-Type': 'application/json' }
    fetch('/client_errors', { method: 'POST', headers, body, keepalive: true }).catch(() => {})
  }

  const ENGLISH = ['bothy did not start', 'What you have written is safe on this device.', 'Reload']
  const GERMAN = ['bothy ist nicht gestartet', 'Das Geschriebene ist auf diesem Gerät sicher.', 'Neu laden']
  const strings = () => (document.documentElement.lang === 'de' ? GERMAN : ENGLISH)

  // The first render removes the skeleton, also after this card.
  const show = () => {
    const skeleton = document.querySelector('.app-skeleton')
    if (!skeleton) return
    const parts = ['h1', 'p', 'button'].map(name => document.createElement(name))
    for (const [at, text] of strings().entries()) parts[at].append(text)
    parts[2].className = 'button button-primary'
    parts[2].onclick = () => location.reload()
    const card = document.createElement('div')
    card.className = 'farewell empty-state'
    card.setAttribute('role', 'alert')
    card.append(...parts)
    const main = document.createElement('main')
    main.append(card)
    skeleton.replaceWith(main)
  }

  addEventListener('bothy-error', ({ detail }) => {
    // biome-ignore lint/suspicious/noConsole: a boundary caught it, so the browser does not show it
    console.error(detail.error)
    report(detail.place, detail.error)
  })
  addEventListener('unhandledrejection', ({ reason }) => report('page', reason))
  addEventListener(
    'error',
    ({ target, error }) => {
      if (error) report('page', error)
      if (target !== bundle()) return
      report('part', { message: 'load' })
      show()
    },
    true,
  )
  setTimeout(show, WAIT)
})()
