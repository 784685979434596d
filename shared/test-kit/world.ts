import { Person } from './person.ts'
import { type RunningService, startService } from './processes.ts'
import { type TestBacking, testBacking } from './stores.ts'

/** The people whom tests are about: ada, bob and cleo talk; mallory is never a member of anything but what is public. */
export interface World {
  backing: TestBacking
  api: RunningService[]
  ada: Person
  bob: Person
  cleo: Person
  mallory: Person
  end(): Promise<void>
}

/** A server of its own for one test file, with its people signed in; they use the api processes in turn. */
export async function newWorld({ apis = 1, settings = {} } = {}): Promise<World> {
  const backing = await testBacking()
  if (Object.keys(settings).length > 0) backing.settings({ rate_limit_enabled: false, ...settings })
  const api = await Promise.all(Array.from({ length: apis }, () => startService('api', backing.env)))
  const people = ['ada', 'bob', 'cleo', 'mallory'].map((name, i) => new Person(name, api[i % apis]!.url))
  for (const person of people) await person.signUp()
  const [ada, bob, cleo, mallory] = people as [Person, Person, Person, Person]
  return {
    backing,
    api,
    ada,
    bob,
    cleo,
    mallory,
    async end() {
      await Promise.all(api.map(service => service.stop()))
      await backing.drop()
    },
  }
}
