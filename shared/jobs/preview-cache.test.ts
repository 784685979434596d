import { expect } from 'chai'
import { Redis } from 'ioredis'
import type { OgPreviewPayload } from '#shared/domain/payloads/previews.ts'
import { CARDS_KEPT, type Keys, keysWith } from '#shared/stores/keys.ts'
import { loadScripts } from '#shared/stores/scripts.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { findCard, findCardPicture, keepCard } from './preview-cache.ts'
import { readLink } from './preview-job.ts'

const A_DAY = 24 * 3600

describe('the cache of link cards (interface 8)', () => {
  let backing: TestBacking
  let redis: Redis
  let keys: Keys
  before(async () => {
    backing = await testBacking()
    redis = new Redis(backing.env.REDIS_URL)
    keys = keysWith(backing.env.REDIS_PREFIX)
  })
  beforeEach(async () => {
    const left = await redis.keys(`${backing.env.REDIS_PREFIX}*`)
    if (left.length > 0) await redis.del(...left)
  })
  after(async () => {
    redis.disconnect()
    await backing.drop()
  })

  const card = (title: string): OgPreviewPayload => ({
    type: 'og',
    title,
    description: '',
    image: '',
    domain: 'a.example',
    url: 'http://a.example/',
  })
  /** 32 digits, like the worker's ids. */
  const pictureOf = (id: string) => Buffer.from(id).toString('hex').padEnd(32, '0').slice(0, 32)
  const keep = (id: string, { lives = A_DAY, title = id } = {}) =>
    keepCard({ keys, scripts: loadScripts(redis) }, id, card(title), {
      picture: { id: pictureOf(title), bytes: Buffer.from([0, 255, 128, ...Buffer.from(title)]) },
      lives,
    })
  const find = (id: string) => findCard({ redis, keys }, id)
  const picture = (title: string) => findCardPicture({ redis, keys }, pictureOf(title))
  const fill = async (count: number, from = 0) => {
    for (let i = from; i < from + count; i++) await keep(`card-${i}`)
  }

  it('returns a card and its picture unchanged', async () => {
    await keep('mill')
    expect(await find('mill')).to.deep.equal(card('mill'))
    expect(await picture('mill')).to.deep.equal(Buffer.from([0, 255, 128, ...Buffer.from('mill')]))
    expect(await find('barn')).to.equal(undefined)
    expect(await picture('barn')).to.equal(undefined)
  })

  it('keeps two hundred cards and evicts the oldest, with its picture', async () => {
    await fill(CARDS_KEPT)
    expect(await find('card-0')).to.not.equal(undefined)
    await keep('one more')
    expect([await find('card-0'), await picture('card-0')]).to.deep.equal([undefined, undefined])
    expect(await find('card-1')).to.deep.equal(card('card-1'))
    await fill(CARDS_KEPT, 1_000)
    expect(await find('one more')).to.equal(undefined)
    const left = await redis.keys(`${backing.env.REDIS_PREFIX}*`)
    expect(left, 'two hundred cards, their pictures, and their order').to.have.length(2 * CARDS_KEPT + 1)
  })

  it('evicts in insertion order, regardless of reads', async () => {
    await fill(CARDS_KEPT)
    for (let i = 0; i < 5; i++) await find('card-0')
    await keep('one more')
    expect(await find('card-0')).to.equal(undefined)
  })

  it('replaces a card, which becomes the newest, and removes its old picture', async () => {
    await fill(CARDS_KEPT)
    await keep('card-0', { title: 'anew' })
    expect(await redis.llen(keys.cards())).to.equal(CARDS_KEPT)
    expect([await picture('card-0'), await picture('anew')].map(Boolean)).to.deep.equal([false, true])
    await keep('one more')
    expect([await find('card-0'), await find('card-1')]).to.deep.equal([card('anew'), undefined])
  })

  it('expires a card, which then takes no place', async () => {
    await fill(CARDS_KEPT - 1)
    await keep('brief', { lives: 600 })
    for (const key of [keys.card('brief'), keys.cardPicture(pictureOf('brief'))]) {
      expect(await redis.ttl(key)).to.be.within(590, 600)
      // Stands for ten minutes.
      await redis.pexpire(key, 1)
    }
    while (await find('brief')) await new Promise(setImmediate)
    await keep('one more')
    expect(await find('card-0')).to.not.equal(undefined)
    expect(await redis.llen(keys.cards())).to.equal(CARDS_KEPT)
  })

  it('returns pictures for valid ids only', async () => {
    for (const id of ['', 'x', '../x', '*', 'A'.repeat(32), 'a'.repeat(33)])
      expect(await findCardPicture({ redis, keys }, id), id).to.equal(undefined)
  })
})

describe('a link (interface 4.4)', () => {
  const read = (text: unknown) => readLink(text)?.url

  it('is an http or https URL', () => {
    expect(read(' https://A.example/b c ')).to.equal('https://a.example/b%20c')
    for (const text of [
      undefined,
      null,
      7,
      ['http://a.example/'],
      '',
      ' ',
      'a.example',
      'mailto:a@a.example',
    ])
      expect(read(text), String(text)).to.equal(undefined)
    expect(read(`http://a.example/${'x'.repeat(2_048 - 17)}`)).to.be.a('string')
    expect(read(`http://a.example/${'x'.repeat(2_048 - 16)}`)).to.equal(undefined)
    expect(read(`http://a.example/${'ü'.repeat(400)}`), 'longer once it is encoded').to.equal(undefined)
    for (const text of ['http://ada@a.example/', 'http://:p@a.example/'])
      expect(read(text), text).to.equal(undefined)
  })

  it('keeps only a fragment that may name lines', () => {
    for (const hash of ['#L3', '#L3-L9', '#3-9', '#lines-3:9'])
      expect(read(`http://a.example/${hash}`)).to.equal(`http://a.example/${hash}`)
    for (const hash of ['#', '#wheel', '#License'])
      expect(read(`http://a.example/${hash}`)).to.equal('http://a.example/')
    expect(readLink('http://a.example/#wheel')!.shown).to.equal('http://a.example/#wheel')
    expect(readLink('http://a.example/#wheel')!.id).to.equal(readLink('http://A.example')!.id)
  })
})
