import { expect } from 'chai'
import sharp from 'sharp'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'

/** The installed client: a link between the browser and the server stands for the network. */
describe('the installed client', function () {
  this.timeout(240_000)
  this.bail(true)
  let stack: FullStack
  let link: NetworkLink
  let ada: BrowserUser

  before(async () => {
    stack = await startFullStack()
    link = await NetworkLink.to(stack.url)
    ada = await stack.user('ada', link.url)
    await ada.signUp(PASSWORD)
  })
  after(async () => {
    await link?.cut()
    await stack?.close()
  })

  const face = () => ada.page.locator('.sidebar-me .avatar > img')

  it('can be installed by a browser: manifest, icons, service worker', async () => {
    const href = await ada.page.locator('link[rel=manifest]').getAttribute('href')
    const manifest = await (await fetch(new URL(href!, stack.url))).json()
    expect(manifest).to.include({ name: 'bothy', start_url: '/', display: 'standalone' })
    for (const { src, type } of manifest.icons) {
      const icon = await fetch(new URL(src, stack.url))
      expect(icon.status, src).to.equal(200)
      expect(icon.headers.get('Content-Type')).to.equal(type)
    }
    const worker = await fetch(new URL('/sw.js', stack.url))
    expect(worker.headers.get('Cache-Control')).to.equal('no-cache')
    expect(worker.headers.get('Content-Type')).to.match(/javascript/)
    await ada.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  })

  it('takes its page from the server whenever the server responds', async () => {
    await ada.page.reload()
    await ada.composer.waitFor()
    const token = () => ada.page.locator('meta[name=csrf-token]').getAttribute('content')
    const before = await token()
    // A new session has another token: a cached page would show the old one.
    await ada.page.goto('/logout')
    await ada.page.getByLabel('Username').fill('ada')
    await ada.page.locator('input[name=password]').fill(PASSWORD)
    await ada.page.locator('form .button-primary').click()
    await ada.composer.waitFor()
    expect(await token())
      .to.be.a('string')
      .and.not.equal(before)
  })

  it('keeps its worker out of requests from scripts, since those of a closing page would be lost', async () => {
    await ada.page.reload()
    await ada.composer.waitFor()
    // The lists come with the page, so any later request will do.
    const asked = await eventually(async () => {
      const [first] = await ada.page.evaluate(() =>
        performance.getEntriesByName(new URL('/people', location.href).href).map(entry => entry.toJSON()),
      )
      expect(first).to.be.an('object')
      return first
    })
    // Chromium's name for a response decided by a static route.
    expect(asked).to.include({ workerFinalSourceType: 'network' })
  })

  it('starts without the server, and is complete again when the server is back', async () => {
    await eventually(async () => {
      const kept = await ada.page.evaluate(async () => Boolean(await caches.match('/')))
      expect(kept).to.equal(true)
    })
    const picture = sharp({ create: { width: 128, height: 128, channels: 3, background: 'teal' } })
    const avatar = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() }
    await ada.page.request.post('/avatar', { multipart: { avatar } })
    await ada.page.reload()
    await face().waitFor()
    await eventually(async () => expect(await ada.page.evaluate(keptFaces)).to.deep.equal(['/avatar/ada']))
    await eventually(async () => expect(await ada.page.evaluate(knownFaces)).to.deep.equal(['ada']))
    await link.cut()
    await ada.page.reload()
    await ada.page.locator('.app').waitFor()
    await face().waitFor()
    // The own status is the last known one until the connection counts as lost.
    const status = ada.page.locator('.sidebar-me-text')
    expect(await status.textContent()).to.not.include('Offline')
    await status.getByText('Not connected').waitFor()
    await link.mend()
    await ada.page.reload()
    await ada.composer.waitFor()
  })

  it('leaves nothing for the next user after a sign-out', async () => {
    await ada.page.goto('/logout')
    const kept = await ada.page.evaluate(async () => Boolean(await caches.match('/')))
    expect(kept).to.equal(false)
    await eventually(async () => expect(await ada.page.evaluate(keptFaces)).to.deep.equal([]))
  })

  it('announces a newer version on the server, and reloads on request', async () => {
    await ada.page.goto('/login')
    await ada.page.getByLabel('Username').fill('ada')
    await ada.page.locator('input[name=password]').fill(PASSWORD)
    await ada.page.route('**/version', route =>
      route.fulfill({ json: { version: '9', commit: 'x', api: 1, client: '/assets/index-newer.js' } }),
    )
    await ada.page.locator('form .button-primary').click()
    const reload = ada.page.getByRole('button', { name: 'Reload', exact: true })
    await reload.waitFor()
    await ada.page.unroute('**/version')
    await reload.click()
    await reload.waitFor({ state: 'hidden' })
    await ada.composer.waitFor()
    expect(ada.complaints).to.deep.equal([])
  })
})

/** Runs in the page. */
async function keptFaces() {
  if (!(await caches.has('bothy faces'))) return []
  const cache = await caches.open('bothy faces')
  return (await cache.keys()).map(request => new URL(request.url).pathname)
}

/** Runs in the page: the people with a picture among those kept for the next start. */
function knownFaces() {
  return new Promise(resolve => {
    const request = indexedDB.open('bothy cache ada')
    request.onsuccess = () => {
      const db = request.result
      const found = db.transaction('lists').objectStore('lists').get('office')
      found.onsuccess = () => {
        db.close()
        resolve(found.result?.faces)
      }
    }
  })
}
