import { expect } from 'chai'
import type { CallStatePayload } from '#shared/domain/payloads/calls.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openTab, requestStream } from '#shared/test-kit/tab.ts'

const HOUR = 3_600
/** Longer than the janitor takes to end a call that has rung too long, ms. */
const A_LOOK = 4_500

/** Security 13: the clock of a replica jumps by an hour, without any effect on users. */
for (const [name, shift] of [
  ['ahead', HOUR],
  ['behind', -HOUR],
] as const) {
  describe(`a replica whose clock is an hour ${name}`, function () {
    this.timeout(180_000)
    let backing: TestBacking
    let right: RunningService
    let shifted: RunningService
    let gateways: [RunningService, RunningService]
    let others: RunningService[] = []
    let ada: Person
    let bob: Person

    before(async () => {
      backing = await testBacking()
      backing.settings({ rate_limit_enabled: true, max_event_streams_per_user: 2, max_login_attempts: 2 })
      const off = { ...backing.env, NODE_OPTIONS: clockOff(shift) }
      const [api, events] = await Promise.all([
        startService('api', backing.env),
        startService('events', backing.env),
      ])
      const [janitor, shiftedApi, shiftedEvents] = await Promise.all([
        startService('janitor', off),
        startService('api', off),
        startService('events', off),
      ])
      right = api
      shifted = shiftedApi
      gateways = [events, shiftedEvents]
      others = [janitor]
      ada = await new Person('ada', right.url).signUp()
      bob = await new Person('bob', shifted.url).signUp()
    })
    after(async () => {
      await Promise.all([right, shifted, ...(gateways ?? []), ...others].map(service => service?.stop()))
      await backing?.drop()
    })

    it('keeps an account locked that another replica has locked', async () => {
      await new Person('cleo', right.url).signUp()
      const logIn = async (at: RunningService, password: string) => {
        const answer = await new Person('cleo', at.url).postForm('/login', { username: 'cleo', password })
        return /(\d+) minutes/.exec(await answer.text())?.[1]
      }
      for (let attempt = 0; attempt < 2; attempt++) await logIn(right, 'wrong')
      for (const at of [right, shifted]) {
        expect(Number(await logIn(at, PASSWORD)), 'minutes that are left').to.be.within(14, 15)
      }
    })

    it('shows typing at another replica, and its own is shown there', async () => {
      await ada.postForm('/typing/general')
      expect(await bob.get('/typing/general')).to.deep.equal(['ada'])
      await bob.postForm('/typing/general')
      expect(await ada.get('/typing/general')).to.deep.equal(['bob'])
    })

    it('shows presence', async () => {
      for (const person of [ada, bob]) await person.postJson('/presence', { state: 'active' })
      for (const person of [ada, bob]) {
        expect(await person.get('/online_users')).to.deep.equal({ ada: 'active', bob: 'active' })
      }
    })

    it('lets a call ring that another replica has begun, and its own calls ring there', async () => {
      for (const [caller, callee] of [
        [ada, bob],
        [bob, ada],
      ] as const) {
        const begun = await caller.postJson('/calls/initiate', { channel: 'dm:ada:bob' })
        const { call_id } = (await begun.json()) as { call_id: string }
        await new Promise(resolve => setTimeout(resolve, A_LOOK))
        for (const person of [caller, callee]) {
          const { state } = await person.get<CallStatePayload>(`/calls/${call_id}/state`)
          expect(state).to.equal('ringing')
        }
        expect(await callee.get('/calls/incoming')).to.have.length(1)
        await caller.postForm(`/calls/${call_id}/leave`)
      }
    })

    it('counts the streams at other gateways', async () => {
      const tabs = [await openTab(gateways[0].url, ada.cookie), await openTab(gateways[0].url, ada.cookie)]
      for (const gateway of gateways) {
        expect((await requestStream(gateway.url, ada.cookie)).status).to.equal(429)
      }
      for (const tab of tabs) tab.close()
      await eventually(async () => {
        const tab = await openTab(gateways[1].url, ada.cookie)
        tab.close()
      })
    })
  })
}

/** Shifts the machine's clock for a process of Node. */
function clockOff(seconds: number) {
  const code = `const Right = Date
    globalThis.Date = class extends Right {
      constructor(...given) { given.length > 0 ? super(...given) : super(Right.now() + ${seconds * 1000}) }
      static now() { return Right.now() + ${seconds * 1000} }
    }`
  return `--import=data:text/javascript,${encodeURIComponent(code)}`
}
