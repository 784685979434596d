import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { PeopleChangesPayload, PeoplePayload, PersonPayload } from '#shared/domain/payloads/people.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('the status of a person (interface 15.2)', () => {
  let world: World
  let gateway: RunningService
  before(async () => {
    world = await newWorld()
    gateway = await startService('events', world.backing.env)
  })
  after(async () => {
    await gateway.stop()
    await world.end()
  })

  const put = (person: Person, body: unknown) =>
    person.fetch('/status', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const statusOf = async (name: string) =>
    (await world.ada.get<PeoplePayload>('/people')).people.find(({ username }) => username === name)!.status

  it('is shown to others until it is changed or removed', async () => {
    const { bob } = world
    expect(await statusOf('bob')).to.equal(null)
    expect((await put(bob, { emoji: '🏝️', text: '  At the  sea ', quiet: true })).status).to.equal(204)
    expect(await statusOf('bob')).to.deep.equal({ emoji: '🏝️', text: 'At the sea', until: null, quiet: true })
    const { rev } = await world.ada.get<PeoplePayload>('/people')
    expect((await put(bob, { text: 'Lunch', for_minutes: 30 })).status).to.equal(204)
    const { people } = await world.ada.get<PeoplePayload>(`/people?since=${rev}`)
    expect(people.map(({ username }) => username)).to.deep.equal(['bob'])
    const { emoji, text, until, quiet } = people[0]!.status!
    expect({ emoji, text, quiet }).to.deep.equal({ emoji: null, text: 'Lunch', quiet: false })
    expect(until).to.be.closeTo(Date.now() / 1_000 + 1_800, 60)
    expect((await bob.fetch('/status', { method: 'DELETE' })).status).to.equal(204)
    expect((await bob.fetch('/status', { method: 'DELETE' })).status).to.equal(204)
    expect(await statusOf('bob')).to.equal(null)
  })

  it('ends at its time everywhere within two seconds, without a write', async () => {
    const { ada, bob } = world
    const tab = await openTab(gateway.url, ada.cookie, { deltas: ['people'] })
    const seen = (): PersonPayload['status'] | undefined =>
      (JSON.parse(tab.lastText('people') ?? '{"people":[]}') as PeopleChangesPayload).people.find(
        ({ username }) => username === 'bob',
      )?.status
    const until = Date.now() / 1_000 + 4
    await put(bob, { text: 'A short break', until })
    await tab.waitFor(() => seen()?.text === 'A short break')
    await tab.waitFor(() => seen() === null)
    expect(Date.now() / 1_000).to.be.within(until - 0.5, until + 2)
    expect(await statusOf('bob')).to.equal(null)
    await pause(100)
    expect(tab.lastText('people')).to.equal(await (await ada.fetch('/people_changes')).text())
    tab.close()
  })

  it('refuses bad fields with their sentence, and changes nothing', async () => {
    const { cleo } = world
    const cases: [body: unknown, code: string][] = [
      [{}, 'required'],
      [{ text: ' ', emoji: '' }, 'required'],
      [{ emoji: 'no emoji' }, 'invalid'],
      [{ emoji: 7, text: 'x' }, 'required'],
      [{ text: 'x'.repeat(101) }, 'too_long'],
      [{ text: '\0' }, 'invalid'],
      [{ text: '\ud800' }, 'invalid'],
      [{ text: ['x'] }, 'required'],
      [{ text: 'x', until: 7 }, 'invalid'],
      [{ text: 'x', until: 'noon' }, 'required'],
      [{ text: 'x', for_minutes: 0 }, 'invalid'],
      [{ text: 'x', for_minutes: '5' }, 'required'],
      [{ text: 'x', for_minutes: 1e9 }, 'invalid'],
      [{ text: 'x', quiet: 'yes' }, 'required'],
      [7, 'bad_request'],
      [[], 'required'],
    ]
    for (const [body, code] of cases) {
      const response = await put(cleo, body)
      expect(response.status, JSON.stringify(body)).to.equal(400)
      expect(((await response.json()) as { code: string }).code, JSON.stringify(body)).to.equal(code)
    }
    for (const field of ['emoji', 'text', 'until', 'for_minutes', 'quiet']) {
      for (const value of [-1, ['x'], {}, 'x'.repeat(10_000), 'a\0b', '\ud800']) {
        const response = await put(cleo, { emoji: '🏝️', text: 'Away', [field]: value })
        const about = `${field} ${JSON.stringify(value).slice(0, 20)}`
        expect(response.status, about).to.equal(400)
        expect(((await response.json()) as { error: string }).error, about).to.not.equal('')
      }
    }
    expect(await statusOf('cleo')).to.equal(null)
  })
})
