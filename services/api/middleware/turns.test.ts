import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import type { Request, Response } from 'express'
import type { Stores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { takeTurns } from './turns.ts'

describe('turns of one person', () => {
  const HOUR = 3_600_000
  /** Turns as long as a request, and time for as many as there are. */
  const wide = { longest: HOUR, dearest: HOUR, share: 1, burst: HOUR }
  const responses: EventEmitter[] = []

  /** Ends the waiting ones first, so that none of them begins. */
  afterEach(async () => {
    for (const response of responses.splice(0).reverse()) response.emit('close')
    await settled()
  })

  function turns(options: Partial<typeof wide> = {}, rate_limit_enabled = true) {
    const stores = { settings: { current: { rate_limit_enabled } } } as Stores
    const take = takeTurns(stores, { ...wide, ...options })
    const begun: string[] = []
    const refused: string[] = []
    return {
      begun,
      refused,
      /** A request that ends when its response is closed. */
      ask(name: string, username = 'ada', path = '/sidebar', method = 'GET'): EventEmitter {
        const response = Object.assign(new EventEmitter(), { write: () => true })
        responses.push(response)
        const request = { method, path, session: { username }, complete: true } as unknown as Request
        const work = take(request, response as unknown as Response, () =>
          begun.push(name),
        ) as unknown as Promise<void>
        work.catch((err: { status: number }) => refused.push(`${name}: ${err.status}`))
        return response
      },
    }
  }
  const settled = () => new Promise(resolve => setImmediate(resolve))

  it('are four at once; the others wait in their order', async () => {
    const { ask, begun } = turns()
    const [first, second] = ['1', '2', '3', '4', '5', '6'].map(name => ask(name))
    await settled()
    expect(begun).to.deep.equal(['1', '2', '3', '4'])
    second!.emit('close')
    await settled()
    expect(begun).to.deep.equal(['1', '2', '3', '4', '5'])
    first!.emit('close')
    await settled()
    expect(begun).to.deep.equal(['1', '2', '3', '4', '5', '6'])
  })

  it('do not hold up somebody else, files, media and reports, or anybody without limits', async () => {
    const limited = turns()
    for (const name of ['1', '2', '3', '4', 'waits']) limited.ask(name)
    limited.ask('of bob', 'bob')
    limited.ask('a file', 'ada', '/files/1_a.png')
    limited.ask('a part', 'ada', '/uploads/1', 'PATCH')
    limited.ask('a chunk', 'ada', '/calls/1/media', 'POST')
    limited.ask('a report', 'ada', '/typing/general', 'POST')
    limited.ask('an avatar of ada', 'ada', '/avatar', 'POST')
    const unlimited = turns({}, false)
    for (const name of ['1', '2', '3', '4', '5']) unlimited.ask(name)
    await settled()
    const free = ['a file', 'a part', 'a chunk', 'a report']
    expect(limited.begun).to.have.members(['1', '2', '3', '4', 'of bob', ...free])
    expect(unlimited.begun).to.have.length(5)
  })

  it('end while a long request goes on', async () => {
    const { ask, begun } = turns({ longest: 5 })
    for (const name of ['1', '2', '3', '4', '5']) ask(name)
    await eventually(async () => expect(begun).to.deep.equal(['1', '2', '3', '4', '5']))
  })

  it('skip requests whose client has left', async () => {
    const { ask, begun } = turns()
    const [first, , , , fifth] = ['1', '2', '3', '4', '5', '6'].map(name => ask(name))
    fifth!.emit('close')
    first!.emit('close')
    await settled()
    expect(begun).to.deep.equal(['1', '2', '3', '4', '6'])
  })

  it('pause after much time, and go on by themselves', async () => {
    // Each turn costs ten milliseconds, which are earned again in a hundred.
    const { ask, begun } = turns({ longest: 10, dearest: 10, burst: 1, share: 0.1 })
    const began = performance.now()
    for (let i = 0; i < 6; i++) ask(`${i}`)
    await settled()
    expect(begun).to.have.length(4)
    await eventually(async () => expect(begun).to.have.length(6))
    expect(performance.now() - began).to.be.greaterThan(350)
  })

  it('cost what the process spent on them, also after the turn, and no more than that', async () => {
    // Busy for 40 ms, for which one waits at most 5.
    const { ask, begun } = turns({ longest: 10, dearest: 5, burst: 1, share: 0.2 })
    const busy = ask('1')
    await settled()
    const began = performance.now()
    while (performance.now() - began < 40);
    busy.emit('prefinish')
    busy.emit('close')
    ask('2')
    await eventually(async () => expect(begun).to.have.length(2))
    expect(performance.now() - began).to.be.greaterThan(190)
  })

  it('are refused with 429 beyond two hundred that wait', async () => {
    const { ask, begun, refused } = turns()
    for (let i = 0; i < 205; i++) ask(`${i}`)
    await settled()
    expect(begun).to.have.length(4)
    expect(refused).to.deep.equal(['204: 429'])
  })
})
