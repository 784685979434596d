import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import type { CodePreviewPayload } from '#shared/domain/payloads/previews.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** Only images can be sent (interface 4.3); text files come from older installations. */
describe('previews of stored text files (interface 4.4)', () => {
  let world: World
  let db: pg.Client
  let folder: string
  before(async () => {
    world = await newWorld()
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    folder = fileURLToPath(world.backing.env.FILES_URL)
    mkdirSync(folder, { recursive: true })
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  let count = 0
  /** A file in a channel, as if ada had sent it long ago. */
  async function stored(name: string, content: string | Buffer | undefined, channel = 'general') {
    const filename = `${(++count).toString(16).padStart(32, '0')}${name}`
    if (content !== undefined) writeFileSync(join(folder, filename), content)
    const id = await world.ada.send(channel, 'a file')
    await db.query('update messages set filename = $1 where id = $2', [filename, id])
    return { filename, id }
  }
  const preview = (filename: string, who: Person = world.bob) =>
    who.get<CodePreviewPayload>(`/file_preview/${filename}`)

  it('have the fields of the interface', async () => {
    const { filename } = await stored('_Pump.PY', 'one()\r\ntwo("grün")\n')
    expect(await preview(filename)).to.deep.equal({
      type: 'code',
      filename: 'Pump.PY',
      filepath: 'Pump.PY',
      language: 'py',
      first_line_num: 1,
      highlight_start: null,
      highlight_end: null,
      code: 'one()\ntwo("grün")',
      total_lines: 2,
      url: `/files/${filename}`,
    })
  })

  it('show a thousand lines, and the total number', async () => {
    const { filename } = await stored('_long.sql', 'select 1;\n'.repeat(1_500))
    const { code, total_lines } = await preview(filename)
    expect([code.split('\n').length, total_lines]).to.deep.equal([1_000, 1_500])
  })

  it('recognize files by their whole name too', async () => {
    const { filename } = await stored('_Dockerfile', 'FROM scratch\n')
    expect((await preview(filename)).language).to.equal('dockerfile')
  })

  it('are {} for an unknown, missing, binary or oversized file', async () => {
    const files: [string, string | Buffer | undefined][] = [
      ['_tool.exe', 'MZ'],
      ['_no-extension', 'text'],
      ['.png', 'text'],
      ['_latin.txt', Buffer.from([0x67, 0x72, 0xf6, 0xdf])],
      ['_binary.txt', 'a\0b'],
      ['_huge.txt', 'x\n'.repeat(256 * 1024 + 1)],
      ['_gone.txt', undefined],
    ]
    for (const [name, content] of files)
      expect(await preview((await stored(name, content)).filename), name).to.deep.equal({})
    for (const name of ['x', 'x.txt', '..%2f..%2fetc%2fpasswd', `${'f'.repeat(32)}_unknown.txt`])
      expect(await preview(name), name).to.deep.equal({})
    const { filename } = await stored('_just-so.txt', 'x\n'.repeat(256 * 1024))
    expect((await preview(filename)).total_lines).to.equal(256 * 1024)
  })

  it('leave the file itself available as a download under its name', async () => {
    const { filename } = await stored('_page.html', '<script>alert(1)</script>')
    const response = await world.bob.fetch(`/files/${filename}`)
    expect(response.headers.get('Content-Disposition')).to.equal('attachment; filename=page.html')
    expect(response.headers.get('Content-Security-Policy')).to.equal("default-src 'none'; sandbox")
    expect(await response.text()).to.equal('<script>alert(1)</script>')
  })

  it('are for readers of the channel, until the message is deleted', async () => {
    const den = await world.privateChannel('den', [world.ada, world.bob])
    const { filename, id } = await stored('_secret.md', '# heather\n', den)
    expect((await preview(filename)).code).to.equal('# heather')
    expect(await preview(filename, world.mallory)).to.deep.equal({})
    expect(await preview(filename, await world.lateJoiner(den, world.ada))).to.deep.equal({})
    await world.ada.delete(id)
    expect(await preview(filename)).to.deep.equal({})
  })
})
