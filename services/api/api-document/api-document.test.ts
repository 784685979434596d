import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { axeFindings } from '#shared/test-kit/axe.ts'
import { launchBrowser } from '#shared/test-kit/browser.ts'
import { programOf } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import type { ApiDocument } from './openapi.ts'

describe('the interface as a document and a page (interface 19.7)', () => {
  let world: World
  let at: string
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'] } })
    at = world.api[0]!.url
  })
  after(() => world?.end())

  it('is read without a session, and again only after a change', async () => {
    const response = await fetch(`${at}/openapi.json`)
    expect(response.status).to.equal(200)
    expect(response.headers.get('Content-Type')).to.equal('application/json; charset=utf-8')
    const document = (await response.json()) as ApiDocument
    expect(document.openapi).to.equal('3.1.0')
    expect(document.paths['/openapi.json']).to.have.property('get')
    const headers = { 'If-None-Match': response.headers.get('ETag')! }
    expect((await fetch(`${at}/openapi.json`, { headers })).status).to.equal(304)
  })

  it('is a page that loads nothing from elsewhere, without inline code and style', async () => {
    const response = await fetch(`${at}/api-docs`)
    const page = await response.text()
    expect(response.status).to.equal(200)
    expect(response.headers.get('Content-Security-Policy')).to.include("script-src 'self'")
    expect(page).to.not.match(/\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc="\/pages\/)/)
    expect(page).to.not.match(/(?:src|href)="(?:https?:)?\/\//)
    expect(page).to.include(`${at}/send/CHANNEL`)
  })

  it('has lines for curl that work', async () => {
    const page = await (await fetch(`${at}/api-docs`)).text()
    const [line] = page.split('<pre class="fingerprint"><code>').filter(part => part.includes('/me&#39;<'))
    const command = line!.split('</code>')[0]!.replaceAll('&#39;', "'").replaceAll('&quot;', '"')
    const { token } = await programOf(world.ada)
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --silent`], {
      env: { ...process.env, TOKEN: token },
    })
    expect(JSON.parse(stdout)).to.include({ username: 'ada' })
  })

  describe('in a browser', () => {
    let browser: Browser
    before(async () => {
      browser = await launchBrowser()
    })
    after(() => browser?.close())

    for (const [device, width] of [
      ['a desktop', 1_280],
      ['a phone', 390],
    ] as const)
      it(`is accessible and not wider than ${device}`, async () => {
        const page = await browser.newPage({ viewport: { width, height: 800 } })
        const refused: string[] = []
        page.on('console', line => refused.push(line.text()))
        await page.goto(`${at}/api-docs`)
        await page.getByText('Pins a message.', { exact: true }).click()
        await page.getByText(`${at}/pin/ID`).first().waitFor()
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          expect(await axeFindings(page), colorScheme).to.deep.equal([])
        }
        expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width)
        expect(refused).to.deep.equal([])
        await page.close()
      })
  })
})
