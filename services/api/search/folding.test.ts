import { expect } from 'chai'
import pg from 'pg'
import { fold, withAccents } from '#shared/domain/fold.ts'
import type { SearchPayload, SearchResultPayload } from '#shared/domain/payloads/search.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** [query, the texts that it finds, oldest first]. */
const FOUND: [query: string, ...texts: string[]][] = [
  ['uber', 'uber alles', 'Über uns', 'u\u0308ber alle Berge'],
  ['über', 'Über uns', 'u\u0308ber alle Berge'],
  ['ÜBER', 'Über uns', 'u\u0308ber alle Berge'],
  ['u\u0308ber', 'Über uns', 'u\u0308ber alle Berge'],
  ['école', 'l’e\u0301cole'],
  ["l'ecole", 'l’e\u0301cole'],
  ['strasse', 'Hauptstraße 1', 'HAUPTSTRASSE 2'],
  ['straße', 'Hauptstraße 1', 'HAUPTSTRASSE 2'],
  ['ΣΊΣΥΦΟΣ', 'ο Σίσυφος'],
  ['σισυφοσ', 'ο Σίσυφος'],
  ['istanbul', 'İstanbul'],
  ['ISTANBUL', 'İstanbul'],
  ['ｆｕｌｌ', 'ＦＵＬＬ ｗｉｄｔｈ'],
  ['full width', 'ＦＵＬＬ ｗｉｄｔｈ'],
  ['final', 'a ﬁnal word'],
  ['lodz', 'do Łodzi, Łódź'],
  ['łódź', 'do Łodzi, Łódź'],
  ['crème brulee', 'une Crème brûlée'],
  ['“creme brulee”', 'une Crème brûlée'],
  ['«crème brûlée»', 'une Crème brûlée'],
  ['が', 'ががが'],
  ['ü', 'Über uns', 'u\u0308ber alle Berge'],
  ['uber -über', 'uber alles'],
  ['über -alle', 'Über uns'],
  ['50%é', '50%é \\ é_'],
  ['é_', '50%é \\ é_'],
]

describe('the folding of searches (interface 14.1)', () => {
  let world: World
  let db: pg.Pool
  const texts = [...new Set(FOUND.flatMap(([, ...found]) => found))]
  before(async function () {
    this.timeout(120_000)
    world = await newWorld({ settings: { channels: ['general'] } })
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 1 })
    for (const text of texts) await world.bob.send('general', text)
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  const inOrder = (found: { content: string | null }[]) =>
    found.map(({ content }) => content).sort((a, b) => texts.indexOf(a!) - texts.indexOf(b!))

  const expectAll = async (queries: typeof FOUND) => {
    for (const [query, ...wanted] of queries) {
      const { items, total } = await world.ada.get<SearchPayload>(
        `/search?${new URLSearchParams({ q: query })}`,
      )
      expect([inOrder(items), total], query).to.deep.equal([
        wanted.sort((a, b) => texts.indexOf(a) - texts.indexOf(b)),
        wanted.length,
      ])
    }
  }

  it('ignores case, forms and accents, but not the accents of the query', () => expectAll(FOUND))

  it('is that of the base search, too, and texts stay as they are', async () => {
    for (const [query, ...wanted] of FOUND.filter(
      ([query]) => !/[-“«]/.test(query) && !query.includes('brulee'),
    )) {
      const found = await world.ada.get<SearchResultPayload[]>(
        `/search_messages?${new URLSearchParams({ q: query })}`,
      )
      expect(inOrder(found), query).to.deep.equal(wanted)
    }
  })

  it('finds names of files in both forms, and stores them composed', async () => {
    const bytes = Buffer.from('plain')
    await world.bob.sendFiles('general', [
      { name: 'Ma\u0308rz.txt', bytes },
      { name: 'März 2.txt', bytes },
    ])
    for (const q of ['März', 'marz', 'name:MÄRZ', 'name:ma\u0308rz', 'märz .TXT']) {
      const { items } = await world.ada.get<SearchPayload>(`/search?${new URLSearchParams({ q })}`)
      expect(items.map(item => item.file_name).sort(), q).to.deep.equal(['März 2.txt', 'März.txt'])
    }
    for (const q of ['märz', 'MARZ']) {
      const files = await world.ada.get<{ original_name: string }[]>(
        `/channel_files/general?${new URLSearchParams({ q })}`,
      )
      const rows = Array.isArray(files) ? files : (files as { items: { original_name: string }[] }).items
      expect(rows.map(file => file.original_name).sort(), q).to.deep.equal(['März 2.txt', 'März.txt'])
    }
  })

  it('is the same in SQL as in the client, character by character', async function () {
    this.timeout(60_000)
    const { rows } = await db.query<{ point: number; character: string; folded: string; accented: string }>(
      `select point, chr(point) as character, fold_text(chr(point)) as folded, accented_text(chr(point)) as accented
         from generate_series(1, 196607) as point
        where point not between 55296 and 57343`,
    )
    const differing = rows.filter(
      ({ character, folded, accented }) => folded !== fold(character) || accented !== withAccents(character),
    )
    // Letters newer than Unicode 14, which the database does not know.
    const known = differing.filter(({ point, character, folded }) => folded !== character || point < 0x1c80)
    expect(known.map(({ point, folded }) => `${point.toString(16)} ${folded}`).join()).to.equal('')
    expect(differing.length).to.be.lessThan(300)
  })
})
