import { randomUUID } from 'node:crypto'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId } from '#shared/domain/units.ts'

export const PASSWORD = 'Bothy-in-the-hills-1!'

/** A user over HTTP, with the domain's verbs. Changing `at` uses another api process with the same session. */
export class Person {
  readonly name: string
  at: string
  cookie = ''
  /** The cookie of forms without a session. */
  formCookie = ''

  constructor(name: string, at: string) {
    this.name = name
    this.at = at
  }

  /** Sends a request as this user; does not follow redirects. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const cookies = [this.cookie, this.formCookie].filter(Boolean).join('; ')
    if (cookies) headers.set('Cookie', cookies)
    const response = await fetch(this.at + path, { ...init, headers, redirect: 'manual' })
    const cookie = response.headers.getSetCookie().find(header => header.startsWith('session='))
    if (cookie) this.cookie = cookie.split(';', 1)[0]!
    const form = response.headers.getSetCookie().find(header => header.startsWith('form='))
    if (form) this.formCookie = form.split(';', 1)[0]!
    return response
  }

  async get<T>(path: string): Promise<T> {
    const response = await this.fetch(path)
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  postForm(path: string, fields: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, { method: 'POST', body: new URLSearchParams(fields) })
  }

  postJson(path: string, body: unknown): Promise<Response> {
    return this.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  patchJson(path: string, body: unknown): Promise<Response> {
    return this.fetch(path, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  async signUp(): Promise<this> {
    const response = await this.postForm('/signup', {
      username: this.name,
      password: PASSWORD,
      confirm_password: PASSWORD,
    })
    if (response.status !== 302)
      throw new Error(`sign-up of ${this.name}: ${response.status} ${await response.text()}`)
    return this
  }

  /** Sends a text; returns the id of the message. */
  async send(channel: string, text: string, fields: Record<string, string> = {}): Promise<number> {
    const response = await this.postForm(`/send/${channel}`, { text, ...fields })
    if (response.status !== 200) throw new Error(`send: ${response.status} ${await response.text()}`)
    return Number(response.headers.get('X-Message-Id'))
  }

  async sendImages(
    channel: string,
    images: { name: string; bytes: Uint8Array }[],
    text = '',
    fields: Record<string, string> = {},
  ): Promise<Response> {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    if (text) body.set('text', text)
    for (const { name, bytes } of images) body.append('files', new File([new Uint8Array(bytes)], name))
    return this.fetch(`/send/${channel}`, { method: 'POST', body })
  }

  /** Sends files of any type in a form. */
  async sendFiles(
    channel: string,
    files: { name: string; bytes: Uint8Array | string }[],
    fields: Record<string, string> = {},
  ): Promise<Response> {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    for (const { name, bytes } of files)
      body.append('files', new File([new Uint8Array(Buffer.from(bytes as string))], name))
    return this.fetch(`/send/${channel}?files=all`, { method: 'POST', body })
  }

  putJson(path: string, body: unknown): Promise<Response> {
    return this.fetch(path, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  /** Appends a part to an upload. */
  appendPart(id: string, offset: number, bytes: Uint8Array): Promise<Response> {
    return this.fetch(`/uploads/${id}`, {
      method: 'PATCH',
      headers: { 'Upload-Offset': String(offset), 'Content-Type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    })
  }

  edit = (id: number, text: string) => this.postForm(`/edit/${id}`, { text })
  delete = (id: number) => this.postForm(`/delete/${id}`)
  react = (id: number, reaction: string) => this.postForm(`/react/${id}`, { reaction })
  markRead = (channel: string) => this.postForm(`/mark_read/${channel}`)
  markUnread = (channel: string, message_id: unknown) =>
    this.postJson(`/mark_unread/${channel}`, { message_id })
  mute = (channel: string, body: unknown) => this.patchJson(`/channel_prefs/${channel}`, body)
  prefer = (preferences: unknown) => this.patchJson('/preferences', preferences)

  /** Creates a private channel with these members besides this user. */
  async createPrivateChannel(name: string, members: string[]): Promise<ChannelId> {
    const response = await this.postJson('/private_channels/create', { name, members })
    if (response.status !== 200) throw new Error(`create: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { channel: ChannelId }).channel
  }

  rename = (channel: string, name: unknown) => this.postJson(`${pathOf(channel)}/rename`, { name })
  addMember = (channel: string, username: unknown) =>
    this.postJson(`${pathOf(channel)}/add_member`, { username })
  leave = (channel: string) => this.postForm(`${pathOf(channel)}/leave`)

  messages(channel: string, after: number | string = 0): Promise<MessagePayload[]> {
    return this.get(`/messages/${channel}?after=${after}`)
  }
}

/** Path of a private channel: `private:7` → `/private_channels/7`. */
const pathOf = (channel: string) => channel.replace('private:', '/private_channels/')

/** A new user with a unique name, for tests that need many. */
export const somebody = (at: string) => new Person(`p-${randomUUID().slice(0, 8)}`, at)
