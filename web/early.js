// While the bundle is still on its way: asks for what the channel that will be open shows (web/src/server/early.ts takes
// the answers). Which one that is, and how many rows it wants, is said as in server/start.ts and server/open-channel.ts;
// an address that nobody asks for is only a request too many.
;(() => {
  // The first time that a page writes takes a browser many milliseconds, and now there is nothing else to do.
  setTimeout(() => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format())

  const lists = JSON.parse(document.getElementById('lists')?.textContent ?? 'null')
  const channel = lists && (named(location.hash) ?? lastOrFirst(lists))
  if (!channel) return

  const path = encodeURIComponent(channel)
  const limit = Math.min(Math.max(60, unreadIn(lists, channel) + 20), 200)
  globalThis.bothyEarly = new Map()
  const addresses = [`/messages/${path}?limit=${limit}`, `/read_receipts/${path}?most=50`]
  // Of any other channel they are known without asking.
  if (channel.startsWith('private:')) addresses.push(`/channel_members/${path}`)
  for (const address of addresses) {
    const response = fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(20_000) })
    const early = { response, isHere: false }
    bothyEarly.set(address, early)
    response
      .then(answer => answer.clone().text())
      .then(
        () => {
          early.isHere = true
        },
        () => {},
      )
  }

  function named(hash) {
    const [, kind, name = ''] = hash.split('/')
    try {
      const decoded = decodeURIComponent(name)
      if (kind === 'c') return decoded || undefined
      if (kind === 'p') return `private:${decoded}`
      if (kind === 'd') return ['dm', ...new Set(decoded.split(',').sort())].join(':')
    } catch {
      // No address of ours.
    }
    return undefined
  }

  function lastOrFirst({ channels, private_channels, dms }) {
    // On a phone the list comes first.
    if (matchMedia('(max-width: 640px)').matches) return undefined
    const viewer = document.querySelector('meta[name="viewer"]')?.content ?? ''
    const known = [...channels, ...private_channels.map(one => one.channel)]
    try {
      const last = localStorage.getItem(`bothy last ${viewer}`)
      if (last?.startsWith('dm:') || known.includes(last)) return last
    } catch {
      // Storage is denied.
    }
    return channels[0] ?? dms[0]?.channel
  }

  function unreadIn({ channel_unreads, private_channels, dms }, id) {
    if (Object.hasOwn(channel_unreads, id)) return channel_unreads[id]
    return [...dms, ...private_channels].find(one => one.channel === id)?.unread ?? 0
  }
})()
