import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { BadProxy } from '#shared/test-kit/bad-proxy.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'

/** ada's browser behind a bad network: browser, link, proxy, front door. bob is connected directly. */
export async function weakNetwork() {
  const stack: FullStack = await startFullStack({ settings: { channels: ['general', 'random'] } })
  const proxy = await BadProxy.to(stack.url)
  const link = await NetworkLink.to(proxy.url)
  const bob: Person = await stack.person('bob')
  const colour = { width: 320, height: 240, channels: 3, background: 'teal' } as const
  const picture = await sharp({ create: colour }).png().toBuffer()
  const ada: BrowserUser = await stack.user('ada', link.url)
  const { page } = ada
  await ada.signUp(PASSWORD)
  const made = await bob.postJson('/private_channels/create', { name: 'den', members: ['ada'] })
  const den = ((await made.json()) as { channel: string }).channel

  const open = async (name: string) => {
    const hash = name === 'den' ? den.replace('private:', '#/p/') : `#/c/${name}`
    await page.evaluate(to => {
      location.hash = to
    }, hash)
    await page.locator(`[data-region=composer] textarea[placeholder*="${name}"]`).waitFor()
  }
  const pendings = (on = page) => on.locator('[data-pending]')

  await bob.send(den, 'in the den')
  // The offline files come with the worker, and its page a reload later.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await open('den')
  await ada.row('in the den').waitFor()
  await open('general')

  return {
    stack,
    proxy,
    link,
    ada,
    bob,
    /** A private channel of both. */
    den,
    open,
    pendings,
    attach: (...names: string[]) =>
      page
        .locator('[data-region=composer] input[type=file]')
        .setInputFiles(names.map(name => ({ name, mimeType: 'image/png', buffer: picture }))),
    nothingPending: (on = page) =>
      eventually(async () => expect(await pendings(on).count()).to.equal(0), 60_000),
    /** The stored messages of a channel that begin so. */
    textsOf: async (channel: string, beginning: string) =>
      (await bob.messages(channel)).flatMap(row => (row.content?.startsWith(beginning) ? [row.content] : [])),
    shownTexts: (beginning: string, on: Page = page) =>
      on.locator('article', { hasText: new RegExp(`${beginning}\\d`) }).count(),
    /** Waits until the cache of this device has the channel. */
    isKept: (channel: string) =>
      eventually(async () => expect(await page.evaluate(cachedChannel, channel)).to.be.an('object')),
    banner: () => page.locator('.banner'),
    async close() {
      await link.cut()
      proxy.close()
      await stack.close()
    },
  }
}

/** Runs in the page: the channel's entry in the cache of this device. */
function cachedChannel(id: string) {
  return new Promise<unknown>(resolve => {
    const request = indexedDB.open('bothy cache ada')
    request.onsuccess = () => {
      const found = request.result.transaction('channels').objectStore('channels').get(id)
      found.onsuccess = () => {
        request.result.close()
        resolve(found.result)
      }
    }
  })
}
