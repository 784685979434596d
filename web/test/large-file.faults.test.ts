import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect } from 'chai'
import type { CDPSession } from 'playwright-core'
import type { ChannelFilePayload } from '#shared/domain/payloads/files.ts'
import type { Page as ListPage } from '#shared/domain/payloads/page.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

const MIB = 1024 * 1024
const SIZE = 1024 * MIB
/** A part has at most 8 MiB; what was sent of one is lost with the api. In percent of the file. */
const MOST_LOST = 2
/** Growth in MiB that is still constant: the part under way and garbage. */
const MOST_HEAP = 64
const MOST_ANONYMOUS = 300

describe('a file of 1 GiB in the browser', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let path: string

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general'], max_upload_size_mb: 1_100 } })
    ada = await stack.signedIn('ada')
    path = join(stack.backing.env.SETTINGS_FILE, '..', 'survey.bin')
    const file = openSync(path, 'w')
    // Sparse: one MiB in 64 takes space on the disk.
    ftruncateSync(file, SIZE)
    for (let at = 0; at < SIZE; at += 64 * MIB) writeSync(file, randomBytes(MIB), 0, MIB, at)
    closeSync(file)
  })
  after(async () => {
    if (path) rmSync(path, { force: true })
    await stack?.close()
  })

  it('continues where it was while the api is killed twice, in constant memory, and arrives whole and once', async () => {
    const { page } = ada
    const tray = page.getByRole('list', { name: 'Attached files' })
    const progress = async () =>
      Number(await page.getByRole('progressbar').first().getAttribute('aria-valuenow'))
    const memory = await memoryOf(await page.context().newCDPSession(page), () =>
      stack.browser.newBrowserCDPSession(),
    )
    await page.locator('[data-region=composer] input[type=file]').setInputFiles(path)
    await shown(tray.getByText('survey.bin'))
    const began = performance.now()
    await ada.button('Send').click()
    for (const share of [25, 60]) {
      await eventually(async () => expect(await progress()).to.be.at.least(share), 120_000)
      const before = await progress()
      await stack.api[0]!.kill()
      stack.api[0] = await startService('api', stack.backing.env)
      const seen: number[] = []
      await eventually(async () => {
        seen.push(await progress())
        expect(seen.at(-1)).to.be.above(before)
      }, 60_000)
      expect(Math.min(...seen), 'it begins again').to.be.at.least(before - MOST_LOST)
    }
    await gone(tray)
    await shown(page.locator('.file-card', { hasText: 'survey.bin' }))
    const grown = await memory.stop()
    console.info(
      `      1 GiB in ${Math.round((performance.now() - began) / 1_000)} s; heap ${grown.heap} MiB, anonymous memory of browser and tabs ${grown.anonymous} MiB more`,
    )

    const { items } = await ada.http.get<ListPage<ChannelFilePayload>>('/channel_files/general')
    expect(items.map(file => [file.original_name, file.size])).to.deep.equal([['survey.bin', SIZE]])
    const response = await ada.http.fetch(`/files/${items[0]!.name}`)
    const [sent, stored] = await Promise.all([sumOf(createReadStream(path)), sumOf(response.body!)])
    expect(stored).to.equal(sent)
    expect(grown.heap).to.be.below(MOST_HEAP)
    expect(grown.anonymous).to.be.below(MOST_ANONYMOUS)
  })
})

async function sumOf(bytes: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(bytes, hash)
  return hash.digest('hex')
}

/** Follows the heap of the tab with the buffers of its scripts, and the memory of the processes of the browser. */
async function memoryOf(tab: CDPSession, session: () => Promise<CDPSession>) {
  const browser = await session()
  await tab.send('HeapProfiler.collectGarbage')
  const look = async () => {
    const usage = (await tab.send('Runtime.getHeapUsage')) as {
      usedSize: number
      backingStorageSize?: number
    }
    const { processInfo } = await browser.send('SystemInfo.getProcessInfo')
    const pids = processInfo.filter(one => ['browser', 'renderer'].includes(one.type)).map(one => one.id)
    return {
      heap: (usage.usedSize + (usage.backingStorageSize ?? 0)) / MIB,
      anonymous: pids.reduce((sum, pid) => sum + anonymous(pid), 0),
    }
  }
  const first = await look()
  const most = { ...first }
  let isOver = false
  const following = (async () => {
    while (!isOver) {
      const now = await look()
      most.heap = Math.max(most.heap, now.heap)
      most.anonymous = Math.max(most.anonymous, now.anonymous)
      await new Promise(next => setTimeout(next, 200))
    }
  })()
  return {
    async stop() {
      isOver = true
      await following
      return {
        heap: Math.round(most.heap - first.heap),
        anonymous: Math.round(most.anonymous - first.anonymous),
      }
    },
  }
}

/** MiB; 0 for a process that has ended. */
function anonymous(pid: number): number {
  try {
    return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}
