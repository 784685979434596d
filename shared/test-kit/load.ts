import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Person } from './person.ts'

/** Someone who writes and reads while the processes are replaced. */
export interface Load {
  sent: string[]
  failed: string[]
  /** Stops. Returns the number of sent messages that are gone, and all frames of the stream. */
  end(): Promise<{ lost: number; seen: string }>
}

/** Sends and reads until stopped; a stream that ends is opened again, as a browser does. */
export function load(person: Person, url: string, pauseBetween: Milliseconds = 30): Load {
  const sent: string[] = []
  const failed: string[] = []
  const seen = { text: '' }
  const closing = new AbortController()
  let hasSent = false
  const sending = (async () => {
    for (let i = 0; !hasSent; i++) {
      for (const act of [
        async () => {
          await person.send('general', `message ${i}.`)
          sent.push(`message ${i}.`)
        },
        () => person.get('/channels'),
      ])
        await act().catch((err: Error) => failed.push(`${err.message} (${String(err.cause)})`))
      await pause(pauseBetween)
    }
  })()
  const reading = (async () => {
    while (!closing.signal.aborted) {
      try {
        for await (const part of await openStream(person, url, closing.signal)) seen.text += part
      } catch {
        await pause(50)
      }
    }
  })()
  return {
    sent,
    failed,
    async end() {
      hasSent = true
      await sending
      for (const giveUp = Date.now() + 20_000; Date.now() < giveUp; await pause(50))
        if (sent.length === 0 || seen.text.includes(sent.at(-1)!)) break
      closing.abort()
      await reading
      const messages = new Set((await person.messages('general')).map(({ content }) => content))
      return { lost: sent.filter(text => !messages.has(text)).length, seen: seen.text }
    },
  }
}

/**
 * A connection of its own: a gateway that stops ends a stream and closes its connection, on which fetch would send the
 * next request meanwhile. Browsers repeat a request whose kept connection turns out to be closed; fetch of Node does not.
 */
function openStream(person: Person, url: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((opened, failed) => {
    const headers = { Cookie: person.cookie }
    const request = get(`${url}/events?channel=general&after=0`, { headers, agent: false, signal }, stream =>
      stream.statusCode === 200
        ? opened(stream.setEncoding('utf8'))
        : failed(new Error(`${stream.statusCode}`)),
    )
    request.once('error', failed)
  })
}
