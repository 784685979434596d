import type { ChannelId } from '#shared/domain/units.ts'
import { Person } from './person.ts'
import { type RunningService, startService } from './processes.ts'
import { type TestBacking, testBacking } from './stores.ts'

/**
 * The cast of the tests: ada, bob and cleo talk; mallory is the outsider, in public channels and own DMs only; dora
 * joins late.
 */
export interface World {
  backing: TestBacking
  api: RunningService[]
  ada: Person
  bob: Person
  cleo: Person
  mallory: Person
  /** Creates a private channel of these people, by the first. */
  privateChannel(name: string, members: [Person, ...Person[]]): Promise<ChannelId>
  /** Adds dora to a private channel. */
  lateJoiner(channel: ChannelId, adder: Person): Promise<Person>
  end(): Promise<void>
}

/** Starts a separate server for a test file, with its people signed in; they use the api processes in turn. */
export async function newWorld({
  apis = 1,
  settings = {},
  env = {},
}: {
  apis?: number
  settings?: Record<string, unknown>
  env?: Record<string, string>
} = {}): Promise<World> {
  const backing = await testBacking()
  Object.assign(backing.env, env)
  if (Object.keys(settings).length > 0) backing.settings({ rate_limit_enabled: false, ...settings })
  const api = await Promise.all(Array.from({ length: apis }, () => startService('api', backing.env)))
  const people = ['ada', 'bob', 'cleo', 'mallory'].map((name, i) => new Person(name, api[i % apis]!.url))
  for (const person of people) await person.signUp()
  const [ada, bob, cleo, mallory] = people as [Person, Person, Person, Person]
  let dora: Promise<Person> | undefined
  return {
    backing,
    api,
    ada,
    bob,
    cleo,
    mallory,
    privateChannel: (name, [creator, ...others]) =>
      creator.createPrivateChannel(
        name,
        others.map(person => person.name),
      ),
    async lateJoiner(channel, adder) {
      dora ??= new Person('dora', api[0]!.url).signUp()
      await dora
      const response = await adder.addMember(channel, 'dora')
      if (response.status !== 204) throw new Error(`add: ${response.status} ${await response.text()}`)
      return dora
    },
    async end() {
      await Promise.all(api.map(service => service.stop()))
      await backing.drop()
    },
  }
}
