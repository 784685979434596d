import { expect } from 'chai'
import pg from 'pg'
import { incomingCalls } from '#shared/collections/incoming-calls.ts'
import { globalCollections } from '#shared/collections/index.ts'
import { RING_TIME } from '#shared/domain/calls.ts'
import { dmId } from '#shared/domain/channel-id.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { type Outlet, Stream } from './stream.ts'
import { Watches } from './watches.ts'

describe('watches whose payload changes without a write', () => {
  let world: World
  let stores: OpenStores
  let watches: Watches
  let db: pg.Client
  const { read } = incomingCalls
  /** The viewers of each read of `incoming_calls`. */
  const reads: string[][] = []

  before(async () => {
    world = await newWorld()
    const { env } = world.backing
    stores = await storesOf(world.backing)
    watches = new Watches(stores)
    db = new pg.Client(env.DATABASE_URL)
    await db.connect()
    incomingCalls.read = (given, viewers) => {
      reads.push(viewers)
      return read(given, viewers)
    }
  })
  after(async () => {
    incomingCalls.read = read
    watches.stop()
    await db.end()
    await stores.stop()
    await world.end()
  })

  /** A stream whose bytes go nowhere. */
  function open({ name }: Person) {
    const outlet = {
      write: () => true,
      cork() {},
      uncork() {},
      end() {},
      resetAndDestroy() {},
      destroySoon() {},
      destroyed: false,
      writableLength: 0,
      once() {},
    }
    const stream = new Stream(outlet as unknown as Outlet, {
      viewer: name,
      session: name,
      channel: undefined,
      cursor: 0,
      chunked: true,
      gzip: false,
      deltas: new Set(),
      known: new Map(),
    })
    return watches.add(stream)
  }

  /** Ages the call in the channel: it rings for these seconds from now. */
  const ringFor = (seconds: number, channel: string) =>
    db.query(
      `with aged as (
         update calls set started_ts = started_ts - $1 where channel = $2 returning call_id
       )
       update call_participants set invited_ts = invited_ts - $1 where call_id in (select call_id from aged)`,
      [RING_TIME - seconds, channel],
    )

  it('have a time for each viewer, in every collection that has one', async () => {
    for (const collection of globalCollections) {
      const times = await collection.changesAt?.(stores, [world.ada.name, world.bob.name], stores.clock.now())
      if (times) expect([...times.values()].every(Number.isFinite), collection.event).to.equal(true)
    }
  })

  it('read a viewer’s incoming calls again at the end of that viewer’s ring only', async () => {
    const { ada, bob, cleo } = world
    await ada.postJson('/calls/initiate', { channel: dmId([ada.name, bob.name]) })
    await ada.postJson('/calls/initiate', { channel: dmId([ada.name, cleo.name]) })
    const removes = [open(bob), open(cleo)]
    await eventually(() => expect(new Set(reads.flat())).to.deep.equal(new Set(['bob', 'cleo'])))
    // Cleo's ring ends much later.
    await ringFor(3, dmId([ada.name, bob.name]))
    reads.length = 0
    watches.invalidate({ collections: ['incoming_calls'], users: ['bob', 'cleo'] })
    await eventually(() => expect(reads[0]).to.have.members(['bob', 'cleo']))
    await eventually(() => expect(reads).to.have.length.above(1), 8_000)
    expect(reads.slice(1)).to.deep.equal([['bob']])
    for (const remove of removes) remove()
  })

  it('read again what ends while it is read', async () => {
    const { ada, mallory } = world
    const channel = dmId([ada.name, mallory.name])
    await ada.postJson('/calls/initiate', { channel })
    await ringFor(3, channel)
    const told: number[] = []
    const rings = (payloads: Awaited<ReturnType<typeof read>>) => payloads.get(mallory.name)?.length ?? 0
    incomingCalls.read = async (given, viewers) => {
      const payloads = await read(given, viewers)
      told.push(rings(payloads))
      // As with a slow store: the ring ends before the next statement.
      if (rings(payloads) === 1)
        await eventually(async () => expect(rings(await read(stores, [mallory.name]))).to.equal(0))
      return payloads
    }
    const remove = open(mallory)
    await eventually(() => expect(told).to.deep.equal([1, 0]), 8_000)
    remove()
  })
})
