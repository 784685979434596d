/**
 * Election of a tab by messages: the oldest tab wins. Others ping it instead of waiting for heartbeats: browsers
 * throttle the timers of hidden tabs to one a minute, but not their message handlers.
 */
import type { Milliseconds } from '#shared/domain/units.ts'
import { tabChannel } from './tab-channel.ts'

const PING_INTERVAL: Milliseconds = 2_000
const RESPONSE_WITHIN: Milliseconds = 1_000

interface Candidate {
  since: Milliseconds
  id: number
}

interface Message extends Candidate {
  what: 'who?' | 'me' | 'gone'
}

/** `onChange` reports whether this tab is elected. Returns the function that leaves the election. */
export function electHolder(name: string, onChange: (isElected: boolean) => void): () => void {
  const own: Candidate = { since: Date.now(), id: Math.random() }
  const channel = tabChannel<Message>(name)
  const post = (what: Message['what']) => channel.post({ what, ...own })
  let hasElder = false
  let patience: ReturnType<typeof setTimeout> | undefined
  const ping = () => {
    clearTimeout(patience)
    hasElder = false
    post('who?')
    patience = setTimeout(() => {
      if (!hasElder) onChange(true)
    }, RESPONSE_WITHIN)
  }
  channel.listen(message => {
    if (message.what === 'gone') return ping()
    if (isElder(message, own)) {
      hasElder = true
      onChange(false)
    } else if (message.what === 'who?') {
      post('me')
    }
  })
  const timer = setInterval(ping, PING_INTERVAL)
  const leave = () => post('gone')
  addEventListener('pagehide', leave)
  ping()
  return () => {
    leave()
    clearInterval(timer)
    clearTimeout(patience)
    removeEventListener('pagehide', leave)
    channel.close()
  }
}

const isElder = (one: Candidate, other: Candidate) =>
  one.since < other.since || (one.since === other.since && one.id < other.id)
