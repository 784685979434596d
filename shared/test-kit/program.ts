import { Person } from './person.ts'

/** A program that acts with a token, without a cookie. */
export class Program extends Person {
  readonly token: string

  constructor(name: string, at: string, token: string) {
    super(name, at)
    this.token = token
  }

  override fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('Authorization', `Bearer ${this.token}`)
    return super.fetch(path, { ...init, headers })
  }
}

export interface MadeToken {
  id: number
  token: string
}

/** Makes a token of this person, who signed up or gave the password lately. */
export async function tokenOf(person: Person, body: object = {}): Promise<MadeToken> {
  const response = await person.postJson('/tokens', { name: 'script', ...body })
  if (response.status !== 201) throw new Error(`token: ${response.status} ${await response.text()}`)
  return (await response.json()) as MadeToken
}

/** The same, as a program. */
export async function programOf(person: Person, body: object = {}): Promise<Program & { id: number }> {
  const { id, token } = await tokenOf(person, body)
  return Object.assign(new Program(person.name, person.at, token), { id })
}
