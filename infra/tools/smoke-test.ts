import { randomBytes } from 'node:crypto'
import { OPERATOR } from '#shared/audit/audit-log.ts'
import { PASSWORD_ITERATIONS } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { deletePerson } from '../../services/api/people/act-on-account.ts'
import { makeRobot } from '../../services/api/people/make-robot.ts'

/** Where the processes are reached. */
export interface Places {
  api: string
  events: string
  /** People use https. */
  secure: boolean
}

const ANSWERS_WITHIN = 15_000
const SEEN_WITHIN = 20_000

/**
 * Two robots talk over HTTP as people do: sign in, open a stream, send a text and a file in a DM, see the frame, find the
 * text, read the file. Other people do not see them; afterwards they are deleted with their messages. Throws with the step that
 * failed. Returns the steps.
 */
export async function smokeTest(stores: Stores, places: Places): Promise<string[]> {
  const steps: string[] = []
  const id = randomBytes(4).toString('hex')
  const robots: Robot[] = []
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work()
      steps.push(name)
      return result
    } catch (err) {
      throw new Error(`Smoke test: ${name} failed: ${(err as Error).message}`, { cause: err })
    }
  }
  try {
    for (const place of ['a', 'b']) robots.push(await newRobot(stores, `check-${place}-${id}`, places))
    const [a, b] = robots as [Robot, Robot]
    const dm = `dm:${a.name}:${b.name}`
    const word = `smoke${id}`
    await step('sign in', async () => {
      for (const robot of robots) await robot.signIn()
    })
    const stream = await step('open a stream', () => b.stream(dm))
    try {
      await step('send a text', () => a.send(dm, { text: word }))
      await step('see it in the stream', () => stream.until(word))
    } finally {
      stream.close()
    }
    await step('read the history', async () => {
      if (!JSON.stringify(await b.json(`/messages/${dm}?after=0`)).includes(word))
        throw new Error('the text is not there')
    })
    await step('find it', async () => {
      if (!JSON.stringify(await b.json(`/search_messages?q=${word}`)).includes(word))
        throw new Error('it was not found')
    })
    await step('send and read a file', async () => {
      await a.send(dm, { files: new File([word], `${word}.txt`) })
      const rows = (await b.json(`/messages/${dm}?after=0`)) as { filename?: string | null }[]
      const name = rows.findLast(({ filename }) => filename)?.filename
      const text = await (await b.fetch(`/files/${name}`)).text()
      if (text !== word) throw new Error('the file is not the one that was sent')
    })
    return steps
  } finally {
    for (const { name } of robots) await deletePerson(stores, OPERATOR, name, 'hard')
  }
}

async function newRobot(stores: Stores, username: string, places: Places): Promise<Robot> {
  const password = `${randomBytes(24).toString('base64url')}-aA1!`
  const passwordIterations = Number(process.env['PASSWORD_ITERATIONS'] || PASSWORD_ITERATIONS)
  await makeRobot(stores, { passwordIterations }, username, password)
  return new Robot(username, password, places)
}

class Robot {
  readonly name: string
  readonly #password: string
  readonly #places: Places
  #cookie = ''

  constructor(name: string, password: string, places: Places) {
    this.name = name
    this.#password = password
    this.#places = places
  }

  async signIn() {
    const body = new URLSearchParams({ username: this.name, password: this.#password })
    const response = await this.fetch('/login', { method: 'POST', body })
    if (response.status !== 302 || this.#cookie === '') throw new Error(`status ${response.status}`)
  }

  async send(channel: string, fields: Record<string, string | File>) {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    const response = await this.fetch(`/send/${channel}?files=all`, { method: 'POST', body })
    if (response.status !== 200) throw new Error(`status ${response.status}`)
  }

  async json(path: string): Promise<unknown> {
    const response = await this.fetch(path)
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    return response.json()
  }

  async fetch(path: string, init: RequestInit = {}, origin = this.#places.api): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.#cookie) headers.set('Cookie', this.#cookie)
    if (this.#places.secure) headers.set('X-Forwarded-Proto', 'https')
    const signal = init.signal ?? AbortSignal.timeout(ANSWERS_WITHIN)
    const response = await fetch(new URL(path, origin), { ...init, headers, signal, redirect: 'manual' })
    const cookie = response.headers.getSetCookie().find(one => one.startsWith('session='))
    if (cookie) this.#cookie = cookie.split(';', 1)[0]!
    return response
  }

  async stream(channel: string): Promise<Stream> {
    const ending = AbortSignal.timeout(SEEN_WITHIN + ANSWERS_WITHIN)
    const closing = new AbortController()
    const signal = AbortSignal.any([ending, closing.signal])
    const response = await this.fetch(`/events?channel=${channel}`, { signal }, this.#places.events)
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    return {
      async until(word) {
        for (let seen = ''; !seen.includes(word); ) {
          const { value, done } = await reader.read()
          if (done) throw new Error('the stream ended')
          seen += value
        }
      },
      close: () => closing.abort(),
    }
  }
}

interface Stream {
  until(word: string): Promise<void>
  close(): void
}
