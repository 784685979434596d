import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { KeyedLimiter, type NoPlace, type Place } from './keyed-limiter.ts'

/** `done`, or why there was no place. */
type Outcome = string

describe('the limiter by keys', () => {
  const LIMITS = { longestWait: 60_000 }
  let limiter: KeyedLimiter
  /** Running work by name, with the function that ends it. */
  let working: Map<string, () => void>
  let turns: Promise<Outcome>[]

  beforeEach(() => {
    limiter = new KeyedLimiter(LIMITS)
    working = new Map()
    turns = []
  })

  afterEach(() => limiter.close())

  const placesOf = (host: string, asker: string | undefined, inAll = 4): Place[] => [
    { key: 'all', most: inAll },
    { key: `host ${host}`, most: 2 },
    ...(asker === undefined ? [] : [{ key: `asker ${asker}`, most: 3 }]),
  ]

  /** Claims places; the name defaults to host and asker. */
  function take(
    host: string,
    asker: string | undefined,
    name = `${host} ${asker}`,
    among = limiter,
    inAll = 4,
  ) {
    const turn = among
      .run(placesOf(host, asker, inAll), () => new Promise<void>(end => working.set(name, end)))
      .then(
        () => 'done',
        (err: NoPlace) => err.why,
      )
    turns.push(turn)
    return turn
  }
  function end(name: string) {
    working.get(name)!()
    working.delete(name)
  }
  const settled = () => new Promise(setImmediate)
  async function isWorkingOn(...names: string[]) {
    await settled()
    expect([...working.keys()].sort()).to.deep.equal(names.sort())
  }

  it('are limited, and go to claims in order of arrival', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) take(name, name, name)
    await isWorkingOn('a', 'b', 'c', 'd')
    end('b')
    await isWorkingOn('a', 'c', 'd', 'e')
    expect(await turns[1]).to.equal('done')
  })

  it('are two per host for all askers, and its waiting claims block no others', async () => {
    for (const asker of ['ada', 'bob', 'cleo', 'dora']) take('silent.example', asker)
    take('good.example', 'mallory')
    await isWorkingOn('silent.example ada', 'silent.example bob', 'good.example mallory')
    end('silent.example ada')
    await isWorkingOn('silent.example bob', 'silent.example cleo', 'good.example mallory')
  })

  it('are three per asker for all hosts', async () => {
    for (const host of ['a', 'b', 'c', 'd', 'e']) take(host, 'mallory')
    take('f', 'ada')
    await isWorkingOn('a mallory', 'b mallory', 'c mallory', 'f ada')
  })

  it('are limited by host alone for claims without asker', async () => {
    for (const host of ['a', 'b', 'c', 'd']) take(host, undefined)
    await isWorkingOn(...['a', 'b', 'c', 'd'].map(host => `${host} undefined`))
  })

  it('are free again after work that fails', async () => {
    const failing = () => limiter.run(placesOf('a', 'ada'), () => Promise.reject(new Error('broken')))
    for (let i = 0; i < 10; i++) {
      const error = await failing().catch((err: Error) => err)
      expect(error).to.have.property('message', 'broken')
    }
    take('a', 'ada')
    await isWorkingOn('a ada')
  })

  it('are waited for no longer than the time-out', async () => {
    const hasty = new KeyedLimiter({ longestWait: 20 })
    take('a', 'ada', 'first', hasty, 1)
    expect(await take('b', 'bob', 'second', hasty, 1)).to.equal('late')
    end('first')
    take('c', 'cleo', 'third', hasty, 1)
    await eventually(() => expect([...working.keys()]).to.deep.equal(['third']))
  })

  it('dismiss waiting claims, but not running work, when the process stops', async () => {
    for (const asker of ['ada', 'bob', 'cleo']) take('a', asker)
    await isWorkingOn('a ada', 'a bob')
    limiter.close()
    expect(await turns[2]).to.equal('closing')
    expect(await take('b', 'dora')).to.equal('closing')
    end('a ada')
    end('a bob')
    expect(await Promise.all(turns.slice(0, 2))).to.deep.equal(['done', 'done'])
  })

  it('are waited for by no more works of a key than allowed', async () => {
    const short = new KeyedLimiter({ longestWait: 60_000, mostWaiting: 1 })
    for (const name of ['first', 'second']) take('a', undefined, name, short, 1)
    expect(await take('a', undefined, 'third', short, 1)).to.equal('full')
    end('first')
    await isWorkingOn('second')
    end('second')
    expect(await Promise.all(turns.slice(0, 2))).to.deep.equal(['done', 'done'])
  })

  it('throws the error of its user', async () => {
    const refusing = new KeyedLimiter({ mostWaiting: 0, refusal: why => new Error(`refused: ${why}`) })
    const place = [{ key: 'ada', most: 1 }]
    void refusing.run(place, () => new Promise(() => {}))
    const err = await refusing.run(place, async () => 'done').catch((err: Error) => err)
    expect(err).to.have.property('message', 'refused: full')
  })
})
