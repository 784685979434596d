import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { ChannelFilePayload } from '#shared/domain/payloads/files.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Page as ListPage } from '#shared/domain/payloads/page.ts'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'
import { zipOf } from '#shared/test-kit/zip.ts'

const MIB = 1024 * 1024

/** A tone of a second. */
function sound(): Buffer {
  const samples = 8_000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8_000, 24)
  header.writeUInt32LE(8_000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples, 40)
  const tone = Array.from({ length: samples }, (_, at) => 128 + Math.round(100 * Math.sin(at / 5)))
  return Buffer.concat([header, Buffer.from(tone)])
}

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF`

describe('files in the browser', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  let page: Page

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general'], max_upload_size_mb: 64 } })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    page = ada.page
  })
  after(() => stack?.close())
  afterEach(() => expect([...ada.complaints, ...bob.complaints]).to.deep.equal([]))

  const tray = () => page.getByRole('list', { name: 'Attached files' })
  const attach = (files: { name: string; buffer: Buffer }[]) =>
    page
      .locator('[data-region=composer] input[type=file]')
      .setInputFiles(files.map(file => ({ ...file, mimeType: '' })))
  const card = (name: string, on = page) => on.locator('.file-card', { hasText: name })
  const progress = async () =>
    Number(await page.getByRole('progressbar').first().getAttribute('aria-valuenow'))
  const stored = async (name: string) =>
    (await bob.http.get<ListPage<ChannelFilePayload>>('/channel_files/general')).items.filter(
      file => file.original_name === name,
    )

  it('of any type are attached, sent in order, and shown with name, size and what can be done', async () => {
    const archived = Array.from({ length: 7 }, (_, at): [string, string] => [
      `gauge-${at}.bin`,
      'x'.repeat(1_000 + at),
    ])
    await attach([
      { name: 'plan.pdf', buffer: Buffer.from(PDF) },
      { name: 'song.wav', buffer: sound() },
      { name: 'main.rs', buffer: Buffer.from('fn main() {}\n') },
      { name: 'a b "c".zip', buffer: Buffer.from(zipOf(archived)) },
    ])
    await shown(tray().getByText('plan.pdf'))
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Remove main.rs' }).click()
    await gone(tray().getByText('main.rs'))
    await attach([{ name: 'main.rs', buffer: Buffer.from('fn main() {}\n') }])
    await ada.composer.fill('four files')
    await page.keyboard.press('Enter')
    for (const on of [page, bob.page]) {
      for (const name of ['plan.pdf', 'song.wav', 'a b "c".zip', 'main.rs']) await shown(card(name, on))
      await shown(card('song.wav', on).getByRole('button', { name: 'Play song.wav' }))
    }
    await gone(tray())
    await bob.page.getByRole('button', { name: 'Preview main.rs' }).click()
    await shown(bob.page.locator('.file-card + .card').getByText('fn main'))
    for (const [name, about] of [
      ['plan.pdf', /^PDF, /],
      ['song.wav', /^Sound, /],
      ['a b "c".zip', /^ZIP archive, /],
      ['main.rs', /^Text, /],
    ] as const)
      await shown(card(name, bob.page).locator('.file-card-text').getByText(about))
    const archive = card('a b "c".zip', bob.page)
    await archive.getByRole('button', { name: 'Contents of a b "c".zip' }).click()
    await shown(archive.getByText('gauge-4.bin'))
    await shown(archive.getByText(/^7 files, /))
    expect(await archive.getByRole('listitem').count()).to.equal(5)
    await archive.getByRole('button', { name: 'Show all 7' }).click()
    await shown(archive.getByText('gauge-6.bin'))
    const download = bob.page.waitForEvent('download')
    await bob.page.getByRole('link', { name: 'Download a b "c".zip' }).click()
    expect((await download).suggestedFilename()).to.match(/^a b .c.\.zip$/)
    await expectAccessible(bob.page)
    await bob.page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(bob.page)
    await bob.page.emulateMedia({ colorScheme: null })
  })

  it('with sound play in their card: on, off, at another place and another speed', async () => {
    const song = card('song.wav', bob.page)
    const audio = song.locator('audio')
    expect(await audio.getAttribute('preload')).to.equal('metadata')
    expect(await audio.evaluate((one: HTMLAudioElement) => one.paused && !one.autoplay)).to.equal(true)
    const play = song.getByRole('button', { name: 'Play song.wav' })
    await play.focus()
    await bob.page.keyboard.press('Enter')
    await eventually(async () =>
      expect(await audio.evaluate((one: HTMLAudioElement) => one.currentTime)).to.be.above(0),
    )
    await eventually(async () =>
      expect(
        await song
          .locator('.file-sound-levels i')
          .evaluateAll(bars => bars.some(bar => bar.clientHeight > 5)),
      ).to.equal(true),
    )
    await song.getByRole('button', { name: 'Speed: 1×' }).click()
    await eventually(async () =>
      expect(await audio.evaluate((one: HTMLAudioElement) => one.playbackRate)).to.equal(1.5),
    )
    await song.getByRole('slider', { name: 'Position in song.wav' }).fill('0')
    await expectAccessible(bob.page)
  })

  it('with a film show its length and size, and play in place', async () => {
    const film = await page.evaluate(async () => {
      const canvas = document.createElement('canvas')
      canvas.width = 320
      canvas.height = 240
      const pen = canvas.getContext('2d')!
      const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/webm' })
      const parts: Blob[] = []
      recorder.ondataavailable = event => parts.push(event.data)
      const ended = new Promise(done => {
        recorder.onstop = done
      })
      recorder.start()
      for (let at = 0; at < 10; at++) {
        pen.fillStyle = `hsl(${at * 30} 60% 50%)`
        pen.fillRect(0, 0, 320, 240)
        await new Promise(done => setTimeout(done, 60))
      }
      recorder.stop()
      await ended
      return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
    })
    await attach([{ name: 'attach-failure.webm', buffer: Buffer.from(film) }])
    await page.keyboard.press('Enter')
    const shownFilm = card('attach-failure.webm', bob.page)
    await shown(shownFilm.getByText(/^240p, /))
    await expectAccessible(bob.page)
    await shownFilm.getByRole('button', { name: 'Play attach-failure.webm' }).click()
    const video = shownFilm.locator('video[controls]')
    expect(await video.getAttribute('preload')).to.equal('metadata')
    expect(await video.evaluate((one: HTMLVideoElement) => one.autoplay)).to.equal(false)
    await eventually(async () =>
      expect(await video.evaluate((one: HTMLVideoElement) => one.currentTime)).to.be.above(0),
    )
    await shown(shownFilm.getByRole('button', { name: 'Show attach-failure.webm on the whole screen' }))
  })

  it('dropped where the viewer may not write are not taken', async () => {
    await bob.http.postJson('/public_channels', { name: 'Attic' })
    const drop = (on: string) =>
      page.evaluate(selector => {
        const data = new DataTransfer()
        data.items.add(new File(['x'], 'dropped.txt', { type: 'text/plain' }))
        return ['dragenter', 'dragover', 'drop'].map(type => {
          const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true })
          document.querySelector(selector)!.dispatchEvent(event)
          return event.defaultPrevented
        })
      }, on)
    await page.goto('/#/c/attic')
    const join = page.getByRole('button', { name: 'Join', exact: true })
    await shown(join)
    // The browser does not open them in place of the client either.
    expect(await drop('.drop-target')).to.deep.equal([false, true, true])
    expect(await page.locator('.drop-hint').count()).to.equal(0)
    await join.click()
    await shown(ada.composer)
    expect(await tray().count()).to.equal(0)
    await drop('.drop-target')
    await shown(tray().getByText('dropped.txt'))
    await page.getByRole('button', { name: 'Remove dropped.txt' }).click()
    await page.goto('/#/c/general')
    await shown(ada.heading.getByText('general'))
  })

  it('of PDF open in a tab of their own', async () => {
    const link = card('plan.pdf', bob.page).getByRole('link', { name: 'Open plan.pdf in a new tab' })
    expect(await link.getAttribute('target')).to.equal('_blank')
    const [path] = [await link.getAttribute('href')]
    const response = await bob.page.request.get(path!)
    expect(response.headers()['content-type']).to.equal('application/pdf')
    expect(response.headers()['content-disposition']).to.match(/^inline/)
  })

  it('that are folders or too large are refused with a sentence that names them', async () => {
    await page.evaluate(size => {
      const data = new DataTransfer()
      data.items.add(new File(['x'], 'fine.txt'))
      data.items.add(new File([new Uint8Array(size)], 'huge.bin'))
      const folder = { kind: 'file', webkitGetAsEntry: () => ({ isDirectory: true, name: 'Pictures' }) }
      const items = [...data.items].map(() => ({
        kind: 'file',
        webkitGetAsEntry: () => ({ isDirectory: false }),
      }))
      const files = [...data.files, new File([], 'Pictures')]
      const event = new Event('drop', { bubbles: true, cancelable: true })
      const types = ['Files']
      Object.defineProperty(event, 'dataTransfer', { value: { types, files, items: [...items, folder] } })
      document.querySelector('#messages')!.dispatchEvent(event)
    }, 65 * MIB)
    const toast = page.locator('.toast')
    await shown(toast.getByText('Folders cannot be sent: Pictures.'))
    expect(await toast.textContent()).to.contain('huge.bin')
    expect(await tray().getByRole('listitem').count()).to.equal(1)
    await page.getByRole('button', { name: 'Remove fine.txt' }).click()
  })

  it('that are large continue over a killed server and a reload, with true progress, and arrive once', async () => {
    const bytes = randomBytes(24 * MIB)
    // From the disk, as a person chooses it.
    const path = join(stack.backing.env.SETTINGS_FILE, '..', 'dump.bin')
    writeFileSync(path, bytes)
    await slow(page, 3 * MIB)
    await page.locator('[data-region=composer] input[type=file]').setInputFiles(path)
    await shown(tray().getByText('dump.bin'))
    await ada.button('Send').click()
    await eventually(async () => expect(await progress()).to.be.greaterThan(20))
    await stack.api[0]!.kill()
    stack.api[0] = await startService('api', stack.backing.env)
    await eventually(async () => expect(await progress()).to.be.greaterThan(40))
    await page.reload()
    await shown(tray().getByText('dump.bin'))
    await eventually(async () => expect(await progress()).to.be.greaterThan(30))
    await slow(page, 0)
    await shown(card('dump.bin', bob.page))
    await gone(tray())
    const files = await stored('dump.bin')
    expect(files).to.have.length(1)
    const response = await bob.http.fetch(`/files/${files[0]!.name}`)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).to.equal(true)
  })

  it('that are cancelled while they are sent leave nothing behind', async () => {
    await slow(page, MIB)
    await attach([{ name: 'oops.bin', buffer: randomBytes(20 * MIB) }])
    await ada.button('Send').click()
    await eventually(async () => expect(await progress()).to.be.greaterThan(5))
    await page.getByRole('button', { name: 'Cancel the upload of oops.bin' }).click()
    await gone(tray())
    await slow(page, 0)
    await eventually(async () => {
      const { rows } = (await stack.backing.admin('select id from uploads where not sent')) as {
        rows: unknown[]
      }
      expect(rows).to.deep.equal([])
    })
    expect(await stored('oops.bin')).to.deep.equal([])
    const rowsOfAll = await bob.http.get<MessagePayload[]>('/messages/general?extra=1&limit=5')
    expect(rowsOfAll.some(row => row.extra?.file?.name === 'oops.bin')).to.equal(false)
  })

  it('are listed with the people of a channel, by type, name and sender', async () => {
    await bob.http.sendFiles('general', [{ name: 'of bob.csv', bytes: 'a,b' }])
    await page.keyboard.press('Escape')
    await page.goto('/#/c/general/people')
    await page.getByRole('tab', { name: 'Files' }).click()
    const panel = page.getByRole('tabpanel')
    const names = () => panel.locator('.files-text a').allInnerTexts()
    await eventually(async () => expect(await names()).to.have.length(7))
    await shown(panel.getByRole('region', { name: 'Today' }).getByRole('heading'))
    await shown(page.getByRole('tab', { name: /^Files 7$/ }))
    await bob.http.sendFiles('general', [{ name: 'one more.csv', bytes: 'a,b' }])
    await shown(page.getByRole('tab', { name: /^Files 8$/ }))
    await bob.http.delete((await bob.http.messages('general')).at(-1)!.id)
    await shown(page.getByRole('tab', { name: /^Files 7$/ }))
    await expectAccessible(page)
    const type = (name: string) => panel.getByRole('group', { name: 'Type' }).getByRole('button', { name })
    await type('PDF').press('Enter')
    await eventually(async () => expect(await names()).to.deep.equal(['plan.pdf']))
    await type('All').press('Enter')
    await panel.getByLabel('From').fill('bob')
    await eventually(async () => expect(await names()).to.deep.equal(['of bob.csv']))
    await panel.getByLabel('Find by name').fill('nothing')
    await shown(panel.getByText('No file matches.'))
    await panel.getByLabel('From').fill('')
    await panel.getByLabel('Find by name').fill('SONG')
    await eventually(async () => expect(await names()).to.deep.equal(['song.wav']))
    await panel.getByRole('link', { name: 'song.wav', exact: true }).press('Enter')
    await shown(page.locator('article.is-flashing, .is-flashing'))
  })
})

/** Bounds the upload of a page, in bytes a second; 0: no bound. */
async function slow(page: Page, bytes: number) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytes || -1,
  })
}
