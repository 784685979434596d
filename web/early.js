// Requests the rows of the channel that will open while the bundle is still loading (web/src/net/early.ts takes the
// responses). The channel and the limit follow the rules of server/start.ts and server/open-channel.ts; a mismatch
// costs only a wasted request.
;(() => {
  // The first date formatting takes a browser many milliseconds, and the page is idle now.
  setTimeout(() => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format())

  const lists = JSON.parse(document.getElementById('lists')?.textContent ?? 'null')
  const channel = lists && (named(location.hash) ?? lastOrFirst(lists))
  if (!channel) return

  const path = encodeURIComponent(channel)
  const limit = Math.min(Math.max(60, unreadIn(lists, channel) + 20), 200)
  globalThis.bothyEarly = new Map()
  const addresses = [`/messages/${path}?limit=${limit}`, `/read_receipts/${path}?most=50`]
  // The members of other channels are known without a request.
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
      // Not an address of the client.
    }
    return undefined
  }

  function lastOrFirst({ channels, private_channels, dms }) {
    // On a phone the channel list comes first.
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
